"""Games between bots that are recorded."""

from pathlib import Path

from atoll.bots import find_bot
from atoll.core.catalogue import find_game
from atoll.lab.played import Setup
from atoll.lab.recording import record_games


def test_a_recording_is_the_same_whatever_the_number_of_cores(tmp_path: Path) -> None:
    """`--workers` of `atoll simulate --record`: results and file, the games in their order."""
    game = find_game("karuba")
    setup = Setup(game, game.components(), 2, [find_bot("search:20"), find_bot("greedy")], 7)
    results, texts = [], []
    for workers in (1, 3):
        path = tmp_path / f"{workers}.jsonl"
        results.append(record_games(setup, 5, path, trace=True, workers=workers))
        texts.append(path.read_bytes())
    assert texts[0] == texts[1]
    assert (results[0].points == results[1].points).all()
    assert (results[0].bots == results[1].bots).all()
