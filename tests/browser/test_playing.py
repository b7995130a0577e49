"""Whole games in a real browser: by mouse, by keyboard, on a phone, without scripts; by several people in
`test_whole_games.py`.
"""

import random
from collections import Counter

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.access import Inspector, kind_of_position
from tests.browser.conftest import DESKTOP, PHONE, Open
from tests.browser.table import (
    CONTROLS,
    click,
    decide,
    make_table,
    play_out,
    press_anything,
    version,
    wait_for_the_log,
    wait_for_turn,
)
from tests.browser.wrappers import let_wrap


def test_a_game_by_mouse_and_keyboard(page: Page) -> None:
    """Every phase, the last rounds by a bot, and nothing to object to in any of them; on a phone by night, with a
    finger, `test_whole_games.py` plays it.
    """
    make_table(page)
    inspector = Inspector()
    assert play_out(page, press=InTurn(), look=inspector, most=40) > 10
    assert len(inspector.found) >= 6  # most often ten and more: it hangs on the deal
    assert not inspector.problems
    wait_for_the_log(page)
    log = page.locator(".log-lines").text_content()
    page.reload()
    assert (page.locator(".log-lines").text_content() or "").split() == (log or "").split()
    page.locator("#again").click()
    page.wait_for_function("() => !document.getElementById('table').classList.contains('over')")
    expect(page.locator("#prompt")).to_be_visible()


def test_a_game_is_begun_by_keyboard(page: Page) -> None:
    """From the start page on; `InTurn` plays on by keyboard."""
    page.goto("/")
    tab_to(page, page.locator("#play-costa-ruana"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/tables/*")
    tab_to(page, page.locator("button[popovertarget=menu]").first)
    page.keyboard.press("Enter")
    tab_to(page, page.get_by_role("button", name="At once", exact=True))
    page.keyboard.press("Enter")
    expect(page.locator("#menu").get_by_text("At once", exact=True)).to_have_attribute("aria-current", "true")
    if page.locator("#menu").is_visible():
        page.keyboard.press("Escape")
    assert wait_for_turn(page)
    decide(page, random.Random(1), by_keyboard)


def test_an_entry_of_the_menu_stays_what_it_is_when_another_comes(page: Page) -> None:
    """What somebody is about to press must not become something else when "Look back" comes with the first move."""
    address = make_table(page, game="karuba", players=2, pace="calm")
    page.locator("button[popovertarget=menu]").first.click()
    entry = page.get_by_role("button", name="At once", exact=True).element_handle()
    entry.focus()
    other = page.context.new_page()
    other.goto(address)
    decide(other, random.Random(1))
    expect(page.locator("#menu")).to_contain_text("Look back")
    page.wait_for_function("entry => document.activeElement === entry", arg=entry)  # given back after a frame
    assert entry.evaluate("entry => entry.ariaLabel") == "At once"


class InTurn:
    """Presses by keyboard and by mouse in turn, in each phase with something chosen and without; begins by keyboard."""

    def __init__(self) -> None:
        self.pressed: Counter[tuple[str, bool]] = Counter()

    def __call__(self, page: Page, found: Locator) -> None:
        position = kind_of_position(page)
        self.pressed[position] += 1
        (by_keyboard if self.pressed[position] % 2 else click)(page, found)


def by_keyboard(page: Page, found: Locator) -> None:
    """Reach it with Tab and the arrow keys, and press Enter."""
    tab_to(page, found)
    page.keyboard.press("Enter")


def tab_to(page: Page, found: Locator) -> None:
    """Go there as somebody without a mouse does: Tab to its group, the arrow keys within it."""
    target = found.element_handle()
    for _ in range(400):
        where = target.evaluate(
            """target => {
                const focused = document.activeElement, groupOf = (element) => element.closest("[data-keys]");
                if (focused === target) return "there";
                if (!groupOf(target) || !focused.matches("button.press")) return "elsewhere";
                return groupOf(focused) === groupOf(target) ? "group" : "elsewhere";
            }"""
        )
        if where == "there":
            return
        page.keyboard.press("ArrowRight" if where == "group" else "Tab")
    raise AssertionError(f"the keyboard does not reach {found}")


MOST = 400
"""Presses of a game without scripts, and looks while bots think: four times what it took."""


def test_a_round_without_scripts(open_browser: Open) -> None:
    """While a bot thinks the page is asked for and not drawn: drawing would take the processor from the bot. A game's
    end without scripts is in `test_plain_table.py`.
    """
    page = open_browser(java_script_enabled=False).new_page()
    address = make_table(page, players=2)
    chance = random.Random(3)
    for _ in range(MOST):
        page.wait_for_load_state()
        confirm, controls = page.locator("#confirm"), page.locator(CONTROLS)
        if "Round 2 of" in (page.locator(".round").text_content() or ""):
            break
        if not page.locator(".bar.mine").count():
            looks = (page.request.get(address).text() for _ in range(MOST))
            assert any('class="bar mine' in look or "over" in kinds_of_table(look) for look in looks)
            page.goto(address)
        elif confirm.count():
            confirm.click()
        else:
            chance.choice(controls.all()).click()
    expect(page.locator(".round")).to_contain_text("Round 2 of")
    expect(page.locator("#prompt")).to_be_visible()


def kinds_of_table(html: str) -> list[str]:
    """The classes of the table that a page shows."""
    return html.partition('id="table" class="')[2].partition('"')[0].split()


def test_the_page_looks_again_by_itself_without_scripts(open_browser: Open) -> None:
    host = open_browser().new_page()
    address = make_table(host, players=2, seat0="me", seat1="friend")
    quiet = open_browser(java_script_enabled=False).new_page()
    quiet.goto(address)
    quiet.get_by_role("button", name="Play as Blue").first.click()
    expect(quiet.get_by_role("button", name="Play as Blue")).to_have_count(0)
    mine, refresh = quiet.locator(".bar.mine"), quiet.locator("head noscript meta[http-equiv=refresh]")
    expect(mine.or_(refresh)).to_have_count(1)
    if mine.count():  # who is Shaman begins
        quiet.locator(CONTROLS).first.click()
        quiet.locator("#confirm").click()
    expect(mine).to_have_count(0)
    expect(refresh).to_have_count(1)
    wait_for_turn(host)
    decide(host, random.Random(1))
    expect(mine).to_have_count(1)
    expect(refresh).to_have_count(0)


def test_a_choice_is_given_back_where_one_is(page: Page) -> None:
    """By Escape and by the bar's button, which loads no page anew: its place and the focus would be lost."""
    make_table(page, players=2)
    chance = random.Random(2)
    page.evaluate("window.stays = true")
    for given_back in ("Escape", "Enter"):
        give_back = page.locator("#bar .cancel")
        while wait_for_turn(page) and not give_back.count():
            press_anything(page, chance, click)
        page.wait_for_function("() => location.search")  # which follows what is shown
        if given_back == "Enter":
            give_back.focus()
        page.keyboard.press(given_back)
        page.wait_for_function("() => !location.search")
        expect(give_back).to_have_count(0)
        expect(page.locator("#main .chosen")).to_have_count(0)
    page.wait_for_function("() => document.activeElement !== document.body")
    assert page.evaluate("window.stays")


def test_the_page_goes_on_when_the_server_is_away_and_comes_back(open_browser: Open) -> None:
    """It says at once that the site is being stopped (`web/test_stopping.py`), and then that it is away."""
    context = open_browser(forgive="ERR_INTERNET_DISCONNECTED")
    page = context.new_page()
    make_table(page, players=2)
    wait_for_turn(page)
    context.set_offline(True)
    page.evaluate("() => { Math.random = () => 0.5 }")  # the page comes back in the middle of its time
    said = page.evaluate("""() => {
        const stops = new CloseEvent("close", { code: 1012 });
        modules.socket.socket.onclose(stops); // close() would wait for what is on its way
        return document.getElementById("line").textContent;
    }""")
    assert "The site is being stopped" in said
    expect(page.locator("#line")).to_contain_text("The server is not answering")
    context.set_offline(False)
    expect(page.locator("#line")).to_have_count(0)


def test_what_the_socket_does_not_answer_is_asked_for_again(page: Page) -> None:
    make_table(page, players=2)
    chance = random.Random(3)
    for _ in range(4):
        wait_for_turn(page)
        page.wait_for_function("() => modules.socket.socket.readyState === WebSocket.OPEN")
        page.evaluate("() => { const open = modules.socket.socket; open.send = () => open.close() }")
        press_anything(page, chance, click)


def test_all_drawings_are_read_while_there_is_nothing_else_to_do(page: Page) -> None:
    make_table(page, players=2)
    drawings = (
        """() => [...document.styleSheets].find((sheet) => sheet.href?.includes("/drawings.css")).cssRules"""
    )
    names = page.evaluate(
        f"Array.from(({drawings})(), (rule) => rule.selectorText).filter((name) => name?.startsWith('.drawn-'))"
    )
    page.wait_for_function(
        "(count) => document.querySelectorAll('body > .unseen > .drawn').length === count", arg=len(names)
    )
    assert page.evaluate(
        """(names) => names.every((name) => {
        const found = document.querySelector(`body > .unseen > ${name}`);
        return found && getComputedStyle(found).borderImageSource.startsWith('url("data:image/svg+xml,');
    })""",
        names,
    )
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "the page can be scrolled"


def choose_a_move(page: Page) -> None:
    """Choose at random until the bar offers to carry a move out."""
    chance = random.Random(2)
    make_table(page, players=2)
    while wait_for_turn(page) and not page.locator("#confirm").count():
        press_anything(page, chance, click)


def test_a_press_shows_that_it_was_taken_until_the_server_answers(page: Page) -> None:
    choose_a_move(page)
    page.evaluate("""() => {
        const { socket } = modules.socket;
        const hear = socket.onmessage;
        const held = [];
        socket.onmessage = (message) => held.push(message);
        window.release = () => {
            socket.onmessage = hear;
            held.forEach(hear);
        };
    }""")
    plain = page.locator("#confirm").evaluate("(button) => getComputedStyle(button).translate")
    before = version(page)
    page.locator("#confirm").click()
    assert page.locator("#confirm.taken").evaluate("(button) => getComputedStyle(button).translate") != plain
    assert page.evaluate("modules.socket.pending.size") == 1
    page.evaluate("release()")
    page.wait_for_function("(before) => modules.table.version(modules.table.live()) > before", arg=before)
    expect(page.locator(".taken")).to_have_count(0)


def test_a_decision_that_the_server_did_not_hear_is_sent_again(open_browser: Open) -> None:
    """As soon as a socket can be opened again, which is when the page has said that it waits for that."""
    page = open_browser(forgive="ERR_FAILED").new_page()
    choose_a_move(page)
    before = version(page)
    page.route("**/moves", lambda route: route.abort())
    page.evaluate("() => { const open = modules.socket.socket; open.send = () => open.close() }")
    page.evaluate(f"() => {{ window.Socket = WebSocket; {NO_SOCKETS} }}")
    page.locator("#confirm").click()
    expect(page.locator("#line")).to_contain_text("what you pressed is sent when it is back")
    page.evaluate("() => { window.WebSocket = Socket }")
    expect(page.locator("#line")).to_have_count(0)
    page.reload()
    assert version(page) > before


def test_a_page_that_lacks_what_was_left_out_asks_for_all(page: Page) -> None:
    """The socket leaves out what it has sent before; here the page has lost it."""
    make_table(page, players=2)
    chance = random.Random(3)
    wait_for_turn(page)
    page.wait_for_function("() => modules.socket.socket.readyState === WebSocket.OPEN")
    press_anything(page, chance, click)
    wait_for_turn(page)
    with page.expect_response(lambda answer: "atoll-fragment" in answer.request.headers):
        page.evaluate(
            "menu.innerHTML = '', document.querySelectorAll('[data-digest]').forEach(part => part.dataset.digest = 0)"
        )
        press_anything(page, chance, click)
    expect(page.locator("#menu .close")).to_have_count(1)


def choose_two_cards(page: Page) -> None:
    """Of a game in which the other person does not choose any."""
    make_table(page, players=2, game="karuba", seat1="friend")
    wait_for_turn(page)
    page.wait_for_function("() => modules.socket.socket.readyState === WebSocket.OPEN")
    for count in (1, 2):
        page.locator(CONTROLS).first.click()
        expect(page.locator("#main [aria-pressed=true]")).to_have_count(count)
    page.wait_for_function("() => location.search && modules.socket.pending.size === 0")


def test_all_of_a_page_that_is_no_longer_shown_is_not_drawn_over_a_move(page: Page) -> None:
    """What was asked for with two cards chosen arrives when they have been played: it is asked for anew."""
    choose_two_cards(page)
    held: list[Route] = []
    page.route("**/tables/*?*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/tables/*?*"):
        page.evaluate("void modules.update.requestAll()")
    page.locator("#confirm").click()
    expect(page.locator("#prompt")).to_contain_text("You have chosen.")
    header = "atoll-fragment"
    with page.expect_response(lambda answer: header in answer.request.headers and "?" not in answer.url):
        held[0].continue_()
    expect(page.locator("#prompt")).to_contain_text("You have chosen.")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_a_key_pressed_while_the_page_is_being_drawn_is_not_lost(page: Page, key: str) -> None:
    """Between an answer and its frame nothing has the focus."""
    choose_a_move(page)
    before = version(page)
    focused = page.evaluate("""async () => {
        document.getElementById("confirm").focus();
        const html = await modules.socket.byRequest(modules.table.page.address);
        const draw = requestAnimationFrame;
        requestAnimationFrame = () => (requestAnimationFrame = draw); // this frame does not come
        modules.update.show(html);
        return document.activeElement.localName;
    }""")
    assert focused == "body"
    page.keyboard.press(key)
    page.wait_for_function("(before) => modules.table.version(modules.table.live()) > before", arg=before)


def test_pieces_glide_in_the_order_in_which_they_moved(open_browser: Open) -> None:
    page = open_browser(reduced_motion="no-preference").new_page()
    let_wrap(page, "motion", "glide")
    make_table(page, players=2)
    page.evaluate("""() => {
        window.glides = [];
        window.around = { glide: (glide, moved) => {
            glide(moved);
            const begun = [...modules.motion.gliding].slice(-moved.length).map(({ effect }) => effect.getTiming());
            if (moved.length) glides.push(moved.map(({ order }, at) => [order, begun[at].delay, begun[at].duration]));
        } };
    }""")
    wait_for_turn(page)
    decide(page, random.Random(1))
    page.wait_for_function("() => glides.flat().some(([order]) => order >= 0)")
    glides = page.evaluate("glides")
    assert all(delay + duration <= 900 for together in glides for _, delay, duration in together)
    for together in glides:
        moved = [(order, delay) for order, delay, _ in together if order >= 0]
        assert [delay for _, delay in sorted(moved)] == sorted(delay for _, delay in moved)


def at_a_card(open_browser: Open, size: dict[str, int]) -> Page:
    """A table at which a card of the hand can be played, where things move."""
    page = open_browser(size, reduced_motion="no-preference").new_page()
    let_wrap(page, "motion", "moves")
    let_wrap(page, "update", "show")
    make_table(page, players=2)
    chance = random.Random(1)
    while wait_for_turn(page) and not page.locator(".hand .spot.can").count():
        press_anything(page, chance, click)
    page.evaluate("modules.motion.settle()")  # what has just moved glides to its place
    return page


def test_what_stays_where_it_is_does_not_glide_when_its_part_grows(open_browser: Open) -> None:
    """On a phone the hand stands at the bottom, and grows upwards by the meaning of the card that is chosen."""
    page = at_a_card(open_browser, PHONE)
    page.evaluate("""() => {
        window.glided = [];
        window.around = { moves: (moves, ...boxes) => {
            const moved = moves(...boxes);
            glided.push(moved.length);
            return moved;
        } };
    }""")
    before = page.locator(".hand .card").first.bounding_box()
    page.locator(".hand .spot.can button.press").first.click()
    expect(page.locator(".hand .meaning")).to_be_visible()
    after = page.locator(".hand .card").first.bounding_box()
    assert before
    assert after
    assert after["y"] == pytest.approx(before["y"], abs=5)
    assert page.evaluate("glided") == [0]


def test_what_moved_last_does_not_glide_again_while_a_move_is_chosen(open_browser: Open) -> None:
    """Parts that grow push it a little; only if something happened has it moved."""
    page = open_browser(DESKTOP, reduced_motion="no-preference").new_page()
    make_table(page)
    assert wait_for_turn(page)
    glides = page.evaluate("""() => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(".pushed { transform: translateY(8px) !important }");
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
        const { id } = document.querySelector("main .piece[id]");
        const glidesWhen = (versions, pushed) => {
            const fresh = modules.table.live().cloneNode(true);
            const piece = fresh.querySelector(`#${CSS.escape(id)}`);
            piece.dataset.order = 0;
            piece.classList.toggle("pushed", pushed);
            piece.closest("[data-digest]").dataset.digest = `pushed ${pushed}`;
            fresh.dataset.version = modules.table.version(fresh) + versions;
            modules.motion.settle();
            modules.update.show(fresh.outerHTML);
            return [...modules.motion.gliding].filter((running) => running.effect.target.id === id).length;
        };
        return [glidesWhen(0, true), glidesWhen(1, false)];
    }""")
    assert glides == [0, 1]


def test_what_glides_goes_on_when_something_else_changes(open_browser: Open) -> None:
    """Bots that move fast change one part of the table while pieces still glide in another."""
    page = open_browser(DESKTOP, reduced_motion="no-preference").new_page()
    make_table(page)
    assert wait_for_turn(page)
    glides = page.evaluate("""() => {
        const piece = document.querySelector("main .piece[id]");
        modules.motion.glide([{ piece, x: 200, y: 0, order: 0 }]);
        for (const running of modules.motion.gliding) running.pause(); // on its way, however slow the machine
        const fresh = modules.table.live().cloneNode(true);
        fresh.dataset.version = modules.table.version(fresh) + 1;
        fresh.querySelector("#bar").dataset.digest = "another";
        fresh.querySelector("#prompt").textContent = "Something else.";
        modules.update.show(fresh.outerHTML, true);
        const goesOn = [...modules.motion.gliding].some((running) => running.effect.target === piece);
        return [document.getElementById("prompt").textContent, goesOn];
    }""")
    assert glides == ["Something else.", True]


def test_what_may_be_pressed_shimmers_unless_somebody_presses(open_browser: Open) -> None:
    """What shimmers makes each frame dearer: it waits for a lull."""
    page = at_a_card(open_browser, DESKTOP)
    shimmers = "() => document.getAnimations().some((running) => running.animationName === 'shimmer')"
    page.wait_for_function(shimmers)
    page.evaluate("""() => {
        window.shimmered = [];
        const note = () => shimmered.push(document.getAnimations().some((one) => one.animationName === "shimmer"));
        document.addEventListener("pointerdown", note);
        window.around = { show: (show, ...given) => {
            show(...given);
            note();
        } };
    }""")
    page.locator(".hand .spot.can button.press").first.click()
    expect(page.locator(".hand .meaning")).to_be_visible()
    assert page.evaluate("shimmered") == [False, False]
    page.wait_for_function(shimmers)


def test_what_is_pressed_tells_its_meaning_in_a_lull(open_browser: Open) -> None:
    """Its words would be laid out in the frame that shows what was pressed: they go as the button goes down."""
    page = at_a_card(open_browser, DESKTOP)
    card = page.locator(".hand .spot.can").first
    translator = card.locator(".about-words")
    card.hover()
    expect(translator).to_be_visible()
    translator.evaluate("""(words) => document.addEventListener("pointerdown", () => {
        window.seen = words.checkVisibility();
    })""")
    page.mouse.down()
    assert page.evaluate("seen") is False
    page.mouse.move(1, 1)
    page.mouse.up()
    card.hover()
    expect(translator).to_be_visible()


def test_a_narrow_table_keeps_its_size_under_the_pointer(open_browser: Open) -> None:
    """Else what a card says of itself moves the card away from the pointer, which takes the words away, and so on."""
    page = open_browser(PHONE, has_touch=False, is_mobile=False).new_page()
    make_table(page)
    chance = random.Random(1)
    told = page.locator(".front .spot:has(.about-words)")
    while wait_for_turn(page) and told.count() < 4:
        press_anything(page, chance, click)
    assert told.count() >= 4
    page.mouse.move(1, 1)
    size = "[document.getElementById('main').scrollWidth, document.getElementById('main').scrollHeight]"
    before = page.evaluate(size)
    for card in told.all():
        card.hover()
        expect(card.locator(".about-words")).to_be_visible()
        assert page.evaluate(size) == before


def test_nothing_glides_where_motion_is_not_wanted(page: Page) -> None:
    make_table(page, players=2)
    page.evaluate("() => { Element.prototype.animate = () => { throw new Error('something glides') } }")
    chance = random.Random(1)
    for _ in range(5):
        wait_for_turn(page)
        press_anything(page, chance, click)


NO_SOCKETS = """window.WebSocket = class {
    static OPEN = 1;
    readyState = 3;
    constructor() { setTimeout(() => this.onclose(new CloseEvent('close')), 0); }
};"""


def test_who_clears_the_cookies_sits_where_the_next_press_says(open_browser: Open) -> None:
    """By a form of the start page, and by the script: the seat is that of the cookie that the browser then gets."""
    host, guest = open_browser(), open_browser()
    page = host.new_page()
    page.goto("/")
    page.wait_for_load_state("networkidle")  # what is answered later would set a cookie of its own
    host.clear_cookies()
    page.locator("#play-karuba").click()
    expect(page.locator(".bar.mine")).to_be_visible()
    address = make_table(page, players=2, game="karuba", seat1="friend")
    page = guest.new_page()
    page.goto(address)
    page.wait_for_load_state("networkidle")
    guest.clear_cookies()
    page.get_by_role("button", name="Play as Blue").first.click()
    expect(page.locator(".bar.mine")).to_be_visible()
    page.reload()
    expect(page.locator(".bar.mine")).to_be_visible()


def test_where_sockets_are_blocked_the_page_looks_every_few_seconds(open_browser: Open) -> None:
    host, context = open_browser().new_page(), open_browser()
    context.add_init_script(NO_SOCKETS)
    guest = context.new_page()
    address = make_table(host, players=2, seat0="me", seat1="friend")
    guest.goto(address)
    guest.get_by_role("button", name="Play as Blue").first.click()
    expect(guest.locator(".hand")).to_be_visible()
    host.reload()
    chance = random.Random(5)
    while not host.locator(".bar.mine").count():  # the friend begins
        decide(guest, chance)
        host.wait_for_function(
            f"() => Number(document.getElementById('table').dataset.version) >= {version(guest)}"
        )
    decide(host, chance)
    guest.wait_for_function(
        f"() => Number(document.getElementById('table').dataset.version) >= {version(host)}", timeout=40_000
    )
    expect(guest.locator("#line")).to_have_count(0)
