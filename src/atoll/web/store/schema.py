"""The tables of the database: games at tables, who sits there, and the moves that were played."""

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    DateTime,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("version", Integer, nullable=False),  # raised by every change
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("maker", String(64), nullable=False, index=True),  # browser
    Column("game", String(80), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("components_name", String(200), nullable=False),
    Column("components_sha256", String(64), nullable=False),
    Column("components_data", JSON, nullable=True),  # the whole file, unless it comes with the game
    Column("options", JSON, nullable=False),
    Column("players", Integer, nullable=False),
    Column("seed", String(32), nullable=False),  # hexadecimal: a key, or in a lesson a seed of 16 digits
    Column(
        "key", String(32), nullable=True
    ),  # from which that follows, if it can be checked; told at the end
    Column(
        "contributions", JSON(none_as_null=True), nullable=True
    ),  # by seat, what goes into the deal besides
    Column("pace", String(16), nullable=False),
    Column("to_act", Integer, nullable=True),  # bit set, for lists of tables: the moves alone decide
    Column("next", String(32), nullable=True),  # the table at which the same is played again
    Column("open_bots", Boolean, nullable=False),  # who visits may take a bot's seat
    Column("hints", String(16), nullable=False),  # who may ask for hints
    Column("moved_at", DateTime(timezone=True), nullable=True),  # when somebody last decided
    Column(
        "round", Integer, nullable=True
    ),  # of the last move, for lists of tables; 0 in games without rounds
    Column("lesson", String(40), nullable=True),  # the game's, while it is followed
    Column(
        "branched_from", String(32), nullable=True
    ),  # the table whose game is played on, which may be deleted
    Column("branched_at", Integer, nullable=True),  # after how many of its moves
    Column("undo_asked", JSON(none_as_null=True), nullable=True),  # what somebody asks to take back
    Column("clock", JSON(none_as_null=True), nullable=True),  # how long people may think
    Column(
        "clock_state", JSON(none_as_null=True), nullable=True
    ),  # what is left to each seat, since when, and what the log says of seats
    Column("clock_due", Float, nullable=True, index=True),  # when the next is out of time, in the site's time
    Column("waiting", Boolean, nullable=False),  # in its waiting room, not yet begun
    Column("watchable", Boolean, nullable=False),  # whether others may watch
    Column("chat", Boolean, nullable=False),  # whether people can talk there
    Column("said", Integer, nullable=False),  # how many messages there were
    Column("agreed", JSON, nullable=True),  # the seats that agree, by what they agree to
    Column("ended", String(16), nullable=True),  # how the game ended before it was over
    Column("opened", Integer, nullable=True),  # the seat whose hand is shown where several share a screen
    Column("public", Boolean, nullable=False),  # shown in the lobby
    Column("daily", String(10), nullable=True),  # the day whose deal is played, such as 2026-08-31
    Column("begins_at", Float, nullable=True, index=True),  # when bots fill it up, in the site's time
    Column("counted", Boolean, nullable=True),  # whether reports may count its game
    Column("asks", Boolean, nullable=True),  # whether its people are asked about it at the end
)
devices = Table(
    "devices",
    metadata,
    Column("browser", String(64), primary_key=True),  # which is used by the person of another
    Column("person", String(64), nullable=False, index=True),  # that other browser
    Column("made_at", DateTime(timezone=True), nullable=False),
)
device_codes = Table(
    "device_codes",
    metadata,
    Column("person", String(64), primary_key=True),  # the browser that made it
    Column("digest", String(64), nullable=False),  # of the code
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("settings", JSON, nullable=False),  # cookies with that browser's preferences
)
seats = Table(
    "seats",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("browser", String(64), nullable=True, index=True),
    Column("bot", String(80), nullable=True),
    Column("guest", String(100), nullable=True),  # who plays at that browser's screen besides its own person
    Column("seen_at", DateTime(timezone=True), nullable=True),  # when the browser last looked
    Column("away_until", String(10), nullable=True),  # the day until which its person is away
    Column("program", JSON(none_as_null=True), nullable=True),  # what its person lets be done again and again
    Column("hint", JSON(none_as_null=True), nullable=True),  # the last that its person has asked for
    Column("told", Integer, nullable=True),  # the seat's last decision of which its person knows
    Column("earlier", JSON(none_as_null=True), nullable=True),  # browsers in which its person played before
    Column("feedback", JSON(none_as_null=True), nullable=True),  # what its person said of the game at the end
)
telling = Table(
    "telling",
    metadata,
    Column("browser", String(64), primary_key=True),  # whose person is told of its turns
    Column("language", String(8), nullable=False),
    Column("site", String(200), nullable=False),  # the address by which that browser comes
    Column("push", JSON(none_as_null=True), nullable=True),  # its push subscription
    Column("webhook", String(500), nullable=True),
    Column("failed", Integer, nullable=False),  # messages in a row that the webhook did not take
)
table_webhooks = Table(
    "table_webhooks",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("language", String(8), nullable=False),
    Column("site", String(200), nullable=False),
    Column("webhook", String(500), nullable=False),
    Column("failed", Integer, nullable=False),
)
people = Table(
    "people",
    metadata,
    Column("browser", String(64), primary_key=True),
    Column("name", String(100), nullable=False),
)
messages = Table(
    "messages",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=True),  # of who said it; none for who watches
    Column("name", String(100), nullable=True),  # of who watches
    Column("phrase", String(16), nullable=True),
    Column("text", String(400), nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False),
)
moves = Table(
    "moves",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, nullable=False),
    Column("decision", Integer, nullable=False),  # of that seat, counted from 0
    Column("move", JSON, nullable=False),  # in the words of the record format
    UniqueConstraint("table_id", "seat", "decision"),
)
choices = Table(
    "choices",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("decision", Integer, nullable=False),
    Column("move", JSON, nullable=False),
)
archived = Table(
    "archived",
    metadata,
    Column("browser", String(64), primary_key=True),  # whose list shows the table apart
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
)
site_time = Table(
    "site_time",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),  # 1: there is one
    Column("ran_at", Float, nullable=False),  # seconds since 1970
    Column("down", Float, nullable=False),  # seconds, all told
)
results = Table(
    "results",
    metadata,
    Column("browser", String(64), primary_key=True),
    Column("table_id", String(32), primary_key=True),  # which may be deleted
    Column("ended_at", DateTime(timezone=True), nullable=False),
    Column("game", String(80), nullable=False),
    Column("players", Integer, nullable=False),
    Column("seat", Integer, primary_key=True),
    Column("place", Integer, nullable=False),
    Column("points", JSON, nullable=False),
    Column("against", JSON, nullable=False),
)
daily_deals = Table(
    "daily_deals",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("game", String(80), primary_key=True),
    Column("seed", String(32), nullable=False),  # a key, in hexadecimal digits
)
daily_games = Table(
    "daily_games",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("game", String(80), primary_key=True),
    Column("browser", String(64), primary_key=True, index=True),  # has had its one try
    Column("table_id", String(32), nullable=False),  # which may be deleted
)
uploads = Table(
    "uploads",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("browser", String(64), nullable=False, index=True),
    Column("made_at", DateTime(timezone=True), nullable=False),
    Column("game", String(80), nullable=False),
    Column("text", Text, nullable=False),  # a record, checked
)
tries = Table(
    "tries",
    metadata,
    Column("browser", String(64), primary_key=True),  # who tries moves out at the table
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("stamp", String(16), nullable=False),  # another after each step
    Column("used_at", Float, nullable=False),  # seconds since 1970
    Column("of", Integer, nullable=False),  # how many lines the table had
    Column("rules_version", Integer, nullable=False),
    Column("start", LargeBinary, nullable=False),  # the position that was guessed
    Column("lines", JSON, nullable=False),
    Column("choices", JSON, nullable=False),
)
analyses = Table(  # of finished games, under way or over: `Analyses`
    "analyses",
    metadata,
    Column("game_of", String(48), primary_key=True),  # "tables/" or "records/", and the id
    Column("browser", String(64), nullable=False),  # who asked
    Column("asked_at", Float, nullable=False),  # seconds since 1970
    Column("looked_at", Float, nullable=False),  # when somebody last waited for it
    Column("state", String(10), nullable=False),
    Column("begun", Integer, nullable=False),  # how many times, since it last went on
    Column("worker", String(32), nullable=True),  # who carries it out
    Column("beat_at", Float, nullable=True),  # when that one was last heard
    Column("done", Integer, nullable=False),
    Column("total", Integer, nullable=False),  # findings there will be; 0 until that is known
    Column("findings", Text, nullable=False),  # so far, or the whole analysis
)

OF_A_TABLE = (archived, choices, messages, moves, seats, table_webhooks, tries)
"""What goes with a table that is deleted."""
puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("browser", String(64), primary_key=True),
    Column("game", String(80), primary_key=True),
    Column("puzzle", String(64), primary_key=True, index=True),  # its name
    Column("answer", JSON, nullable=False),  # the last one: a move, or "several"
    Column("first_right", Boolean, nullable=False),  # whether the first answer was right
    Column("right", Boolean, nullable=False),  # whether the last one was
    Column("step", Integer, nullable=False),  # how many times it has come again
    Column("due", String(10), nullable=True),  # the day from which it comes again, such as 2026-08-31
    Column("first_at", DateTime(timezone=True), nullable=False),
)
