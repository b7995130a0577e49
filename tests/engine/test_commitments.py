"""Commitments: what is shown of a key, and what follows from it, as usual tools compute it."""

from atoll.engine.commitments import commitment, deal_seed, redeal_seed, written

KEY = "00112233445566778899aabbccddeeff"


def test_usual_tools_compute_the_same() -> None:
    """`printf %s KEY | sha256sum`, and `printf 'deal\\n0: 7\\n2: héron bleu' | openssl dgst -sha256 -hmac KEY`."""
    assert written(int(KEY, 16)) == KEY
    assert commitment(KEY) == "5947d7c33d783f94b3b4c1a96ebc8991ed28f1b069b71e03376cba8caa98a720"
    assert deal_seed(KEY, ["7", None, "héron bleu"]) == "02ad153c7292dafb47d2c55579203dfe"
    assert redeal_seed(KEY, 2) == "11e7e7438e78e5013914df365b7d4acc"


def test_who_added_what_and_which_deal_it_is_changes_the_seed() -> None:
    said: list[list[str | None]] = [[], ["7"], ["8"], [None, "7"], ["7", "7"], ["77"]]
    seeds = [deal_seed(KEY, words) for words in said] + [redeal_seed(KEY, number) for number in (1, 2)]
    assert len({*seeds, KEY, commitment(KEY)[:32]}) == len(seeds) + 2
    assert deal_seed(KEY, [None, None]) == deal_seed(KEY, [])
