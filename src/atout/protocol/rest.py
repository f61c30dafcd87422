"""Bodies of the REST interface: requests and responses."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from atout.bots.bot import Reason
from atout.game import View
from atout.game.record import MAX_NAME as MAX_NAME  # the limit is part of the REST interface
from atout.game.view import Conditions, Played
from atout.puzzles.model import Theme
from atout.study.model import ActionValue, Decision, Label, Ledger, Phase
from atout.tables import Clock, TableSettings

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME)]


class Problem(Struct, omit_defaults=True):
    """The body of every response that refuses a request or reports an error."""

    code: str
    message: str
    parameters: dict[str, Any] = {}


class Profile(Struct, forbid_unknown_fields=True):
    """A guest as they describe themselves."""

    name: Name
    settings: dict[str, Any] = {}
    """Anything a client wants to store for the guest: at most 4 KiB of JSON."""


class NewTable(Struct, forbid_unknown_fields=True):
    settings: TableSettings


class OpenedTable(Struct):
    table: str
    """Its id; whoever knows it may sit down. The socket is at `/ws/{table}`."""


class PlayOn(Struct, forbid_unknown_fields=True):
    """A decision of a finished match, to play on from; both numbers from 0, as in a review."""

    round: Annotated[int, Meta(ge=0, le=100_000)]
    index: Annotated[int, Meta(ge=0, le=100_000)]
    """The number of the action in its round, from 0."""
    next: bool = False
    """From the first decision of `seat` on, at or after this action."""
    seat: Annotated[int, Meta(ge=0, le=15)] | None = None
    """With `next`: whose; without it, mine, or in a public match the first person's."""


class CardSeat(Struct, omit_defaults=True):
    name: str
    kind: Literal["open", "kept", "person", "bot"]
    bot: str = ""


class CardDetail(Struct):
    players: int
    seats: list[CardSeat]
    options: dict[str, Any]
    clock: Clock
    spectators: Literal["off", "public", "leave"]


class MyPart(Struct):
    """The state of a match of mine."""

    seats: list[int]
    """Mine."""
    asked: list[int]
    """Seats that have a decision to make."""
    round: int
    rounds: int | None
    """None: played to a target."""
    totals: list[int]
    due: float | None = None
    """When the clock of a seat of mine runs out, if a decision of mine is asked; null: none is, or without a clock."""
    paused_until: float | None = None
    """When a pause ends by itself."""


class TableCard(Struct, omit_defaults=True):
    """A table in a list."""

    table: str
    edition: str
    state: str
    open_seats: int
    created: float
    active: float
    detail: CardDetail
    mine: MyPart | None = None
    """In the list of my tables, for the latest that are being played."""


class Tables(Struct):
    tables: list[TableCard]


class NewLink(Struct):
    """A link that moves your seat to another device, once. It is shown now and never again."""

    token: str
    link: str
    """Identifies the link without giving the seat away: for revoking it."""


class LinkEntry(Struct):
    link: str
    created: float
    revoked: bool


class Links(Struct):
    links: list[LinkEntry]


class UseLink(Struct, forbid_unknown_fields=True):
    token: Annotated[str, Meta(max_length=200)]


class Seated(Struct):
    table: str
    seat: int


class RecordSummary(Struct):
    players: int
    names: list[str]
    totals: list[int]
    winners: list[int]
    """Empty: the match was given up, and the totals are those of its finished rounds."""
    rounds: int
    bots: list[str | None] = []
    """Levels; null for a person."""
    stand_ins: list[int] = []
    """Seats of people for whom a bot finished the match: it does not count in their statistics."""
    round_points: list[list[int]] | None = None
    """What each seat scored, round by round; null: not worked out yet, and nor is what follows."""
    gains: list[list[float]] = []
    """What each round was worth to each seat: its points less the mean of its opponents'; with teams, mean against
    mean."""
    sides: list[list[list[int]]] = []
    """The sides of each round, or the teams; empty: everybody plays alone."""
    places: list[int] = []
    """The place of each seat in the end, from 1; those who share a place share the number. Empty: given up."""
    margins: list[int] = []
    """By how many points each seat, or its team, is ahead of the best of the others; negative: behind. As `places`."""


class RecordEntry(Struct):
    id: str
    edition: str
    finished: float
    summary: RecordSummary


class Records(Struct, omit_defaults=True):
    records: list[RecordEntry]
    next: str = ""
    """The next page is at `?after=` with this value; empty: that was the last page."""


MAX_RECORD = 400_000
"""Most characters of a record to replay."""


class NewReplay(Struct, forbid_unknown_fields=True):
    record: Annotated[str, Meta(min_length=1, max_length=MAX_RECORD)]
    """One record: a line of JSON."""


class EditionStatistics(Struct):
    edition: str
    matches: int
    wins: int
    rounds: int
    points: int


class StatisticsAnswer(Struct):
    statistics: list[EditionStatistics]


class MyMatch(Struct, omit_defaults=True):
    """A finished match in the list of mine, as it went for me."""

    id: str
    edition: str
    finished: float
    summary: RecordSummary
    seats: list[int] = []
    """Mine; the first of them is the one that the other fields speak of. Empty: not known any more."""
    points: int = 0
    place: int = 0
    """From 1; 0: the match was given up."""
    margin: int = 0
    """Points ahead of the next, if I won; else what I was short of the winner, negative."""
    gains: list[float] = []
    """Round by round."""
    tag: Literal["", "given-up", "stand-in"] = ""
    """Why the match does not count: given up, or finished by a bot in my place."""
    error_rate: float | None = None
    """Points lost per decision that was not obvious; known once the match was reviewed."""


class ErrorSums(Struct):
    """Points lost in decisions that were not obvious, from complete reviews."""

    lost: float
    decisions: int


class ErrorWeek(Struct):
    """My errors in the matches of a week that were reviewed."""

    start: float
    """When the week began: Monday at midnight, UTC."""
    errors: dict[str, ErrorSums]
    """By phase (`veto`, `partners`, `cards`, `piles`, `tricks`), and `all`."""


class MyMatches(Struct, omit_defaults=True):
    matches: list[MyMatch]
    next: str = ""
    """The next page is at `?after=` with this value; empty: that was the last page."""


class Sums(Struct):
    """Sums over matches, or over the rounds of them that meet a condition."""

    matches: int = 0
    wins: int = 0
    rounds: int = 0
    gain: float = 0.0


class Week(Sums):
    start: float = 0.0
    """Monday at midnight, UTC."""


class MatchGroup(Struct):
    """Matches that have something in common: the edition, the level of a bot among the opponents, or a partner."""

    by: Literal["edition", "level", "partner"]
    key: str
    """Id of the edition, level, or the partner's name; a bot as a partner is named by its level."""
    is_bot: bool
    """For a partner."""
    sums: Sums
    """With a partner, only the rounds they played on my side."""
    weeks: list[Week]
    """Those in which there were any, the earliest first."""


class MatchStatistics(Struct):
    """My matches in sums. Those given up or finished by a bot are listed, but not counted."""

    listed: int
    """Matches that meet the conditions of the query."""
    sums: Sums
    weeks: list[Week]
    groups: list[MatchGroup]
    """The largest first."""
    editions: list[str]
    """What may be asked for, in all my matches."""
    players: list[int]
    against: list[str]
    """Levels of bots, then names of people, as the query takes them: `bot:club`, `name:Ann`."""
    left: int
    """Older matches whose rounds are not worked out yet: ask again."""
    errors: list[ErrorWeek] = []
    """Week by week, from the matches that were reviewed."""


Shows = Literal["open", "own", "no"]
Said = Literal["open", "own", "no", ""]


class NewSharing(Struct, forbid_unknown_fields=True):
    """What I show of a match to everybody who has its address."""

    shows: Shows
    """All cards, what I saw from my seat, or nothing."""
    named: bool = True
    """My name; else I am a player without one."""


class MySharing(Struct):
    """What I show of a match, and what comes of it."""

    shows: Said
    """Empty: I have not said."""
    named: bool
    name: str
    """What I am called in the record."""
    address: str
    """The page is at `/m/{address}`, the picture for messengers at `/m/{address}.png`."""
    is_public: bool
    """Everybody who played has agreed."""
    is_open: bool
    """All of them show all cards."""
    waiting: int
    """People who have not agreed yet, without me."""
    others: int
    """Other people who played."""
    can_be_public: bool
    """False: somebody who played was forgotten, or it is not known who did, or the match was given up."""


class SharedMatch(Struct):
    """A match that its players show to everybody."""

    address: str
    edition: str
    finished: float
    summary: RecordSummary
    """With the names of those who agreed to that; the others' are empty."""
    is_open: bool
    """All cards are shown, and the record may be downloaded."""
    seats: list[int]
    """From whose seats it can be looked at, if not all cards are shown."""


ReviewState = Literal["none", "preparing", "waiting", "working", "done", "failed"]
"""How far a review is.

    none        nobody works on it; if decisions are missing, begin it or go on with it by POST
    preparing   the code for reviews is being compiled, which takes a minute or two after the first start of a server
    waiting     another review for the same guest comes first
    failed      `trouble` says why
"""
Trouble = Literal["", "nothing-played", "bad-record", "not-learned", "gone", "failed"]
"""Why there is no review: `not-learned` means that nothing has learned this edition with these rules."""


class MatchReview(Struct, omit_defaults=True):
    """The review of one seat in a finished match, as far as it is."""

    state: ReviewState
    seat: int
    seats: list[int]
    """The seats whose decisions you may review; your own first."""
    decisions: list[Decision]
    """In the order of the match, from number `after` of the query on, without a gap."""
    trouble: Trouble = ""
    total: int = 0
    """How many decisions the seat made; 0 while that is not known."""
    ledger: Ledger | None = None
    """When the review is done; before that only with `after=0`, and without what decisions lost."""
    evaluator: str = ""
    """A hash of the networks and settings that judge."""
    effort: int = 0
    spread: float = 0.0
    """The standard deviation of a round's gain at this table."""
    notes: list[str] = []
    """Codes of what a reader should know: `unfinished`."""


class DealOfDay(Struct):
    """The deal of a day, without its cards: two rounds, the same for everybody at this server."""

    day: str
    """As `2026-11-17` (UTC)."""
    edition: str
    players: int
    rounds: int
    level: str
    """The level of the bots. They take what they think best, without chance: the same history gives the same answer."""
    commitment: str
    """To the secret that the deals come from (docs/fair-shuffles.md); the record of a finished try has the secret."""
    played: int
    """How many have finished it."""
    state: Literal["new", "playing", "finished"]
    """How far my only try is."""
    table: str = ""
    """The table of my try."""


class FieldResult(Struct):
    """How many had a result."""

    gain: float
    count: int


class FieldAction(Struct):
    """How many of those who came to the same position chose an action, and their mean result."""

    action: str
    count: int
    gain: float


class DealDecision(Struct):
    """A decision of mine in a deal of the day, and what the field chose at the same position."""

    round: int
    index: int
    """As in a review."""
    phase: Phase
    ordinal: int
    """The number of the trick; else of the decision among those of its phase and round; from 1."""
    action: str
    hand: list[str]
    trick: list[Played]
    conditions: Conditions | None
    choices: list[FieldAction]
    """The most frequent first."""


class DealResult(Struct):
    """My result in a deal of the day, beside the field. It is there as soon as I have finished."""

    deal: DealOfDay
    gain: float
    """My points less the mean of the others', over both rounds."""
    gains: list[float]
    """By round."""
    counted: bool
    """I am part of the field: I played to the end, and no bot played for me."""
    field: list[FieldResult]
    """The lowest result first."""
    record: str
    """The record of my match, to replay and review it; empty if I deleted it."""
    seats: list[str]
    """Levels of the bots by seat; mine is `open`."""
    decisions: list[DealDecision]


class PuzzleEntry(Struct, omit_defaults=True):
    """A puzzle in the list of all."""

    id: str
    edition: str
    players: int
    phase: Phase
    theme: Theme
    rating: int
    """How hard it is before anybody has tried it, on the scale of people's ratings."""
    teams: bool = False


class Puzzles(Struct):
    """All puzzles, in the order of the days."""

    puzzles: list[PuzzleEntry]
    """That of day d, counted from 1970-01-01 (UTC), is number d modulo their count: offline, too."""
    date: str
    """Today, as `2026-11-17`."""
    today: str
    """Its puzzle's id."""


class OwnMistake(Struct):
    """Where a position of my own comes from."""

    record: str
    """The match is at `/api/records/{record}`."""
    edition: str
    finished: float
    round: int
    """From 0, as in a review."""
    index: int
    """The place of the decision among the round's actions, from 0."""
    action: str
    """What I chose then."""
    label: Label
    loss: float


class PuzzleAnswer(Struct):
    """What each action is worth: a puzzle is no secret, so a page grades at once, and offline."""

    values: dict[str, ActionValue]
    """By legal action, as in the view's `legal`."""
    best: list[str]
    """The right answers: mostly one, more where they are as good as each other."""
    reason: list[Reason]
    """Why the best action is better than the most tempting of the others."""
    lead: float
    """By how much the best action leads the best of the wrong ones, with its standard error `se`."""
    se: float
    spread: float
    """The standard deviation of a round's gain at this table."""


class PuzzlePosition(Struct, omit_defaults=True):
    """A puzzle, or a mistake of my own as one: the position as its seat saw it, and the answer."""

    id: str
    edition: str
    players: int
    seat: int
    phase: Phase
    theme: Theme
    view: View
    """With the legal actions."""
    answer: PuzzleAnswer
    rating: int = 0
    """How hard it is, by now; 0 for a mistake of my own."""
    found: list[str] = []
    """The levels of bots that find it."""
    tried: int = 0
    """How many guests tried it, each counted once."""
    solved: int = 0
    """How many of them solved it at the first try."""
    date: str = ""
    """The day whose puzzle it is, if it was asked for as such."""
    mistake: OwnMistake | None = None


class NewAttempt(Struct, forbid_unknown_fields=True):
    action: Annotated[str, Meta(min_length=1, max_length=60)]
    """One of the view's legal actions."""


class PuzzleAttempt(Struct):
    """What came of an attempt. Only the first at a puzzle is rated and counted."""

    is_right: bool
    is_first: bool
    rating: int
    """Mine by now."""
    change: int
    """By how much the attempt changed it; 0 if it is not rated."""
    streak: int
    """Days in a row, up to now, on which the day's puzzle was solved at the first try."""


class ThemeCount(Struct):
    tried: int
    solved: int


class MyPuzzles(Struct):
    """How I do at puzzles."""

    rating: int
    uncertainty: int
    """The standard deviation of the rating: large at first."""
    tried: int
    solved: int
    streak: int
    """Days in a row on which I solved the day's puzzle at the first try; today counts once it is solved."""
    longest: int
    """The longest streak so far."""
    today: Literal["", "solved", "missed"]
    """The first try at today's puzzle; empty: not tried yet."""
    themes: dict[str, ThemeCount]
    attempts: dict[str, bool]
    """By id of each puzzle I tried: whether the first try was right."""


class MistakeEntry(Struct):
    """One of my mistakes, as a card that comes back."""

    id: str
    due: float
    """When it is to be tried next."""
    attempts: int
    """How often I tried it."""


class Mistakes(Struct):
    """My mistakes: decisions that my reviews call a mistake or a blunder."""

    due: list[MistakeEntry]
    """Those to try now; the longest due first."""
    count: int
    """All of them."""
    next: float
    """When the next one that is not due yet will be; 0: there is none."""


class MistakeAttempt(Struct):
    """What came of trying a mistake again."""

    is_right: bool
    due: float
    """When it comes back: later and later while it is solved."""
    days: float
    """From now until then."""


class Places(Struct, omit_defaults=True):
    """What an edition offers with a number of players."""

    players: int
    rounds: int
    short: int | None = None
    """Rounds of the short game (`{"length": "short"}`), where there is one."""
    target: bool = False
    """May be played to a target score (`{"length": {"target": 100}}`)."""
    scoring: list[str] = []
    """What `{"scoring": …}` may be, the edition's own first; empty: no such option."""
    teams: bool = False
    """May be played in teams (`{"teams": true}`)."""


class EditionEntry(Struct):
    id: str
    game: Literal["njet", "nichtig"]
    name: str
    subtitle: str
    author: str
    places: list[Places]


class Editions(Struct):
    """Everything that a form for a new table needs."""

    editions: list[EditionEntry]
    levels: list[str]
    """Bots, weakest first."""


class Health(Struct):
    status: Literal["ok"]


# ---------------------------------------------------------------- accounts

MAX_PASSKEY_NAME = 40
PasskeyName = Annotated[str, Meta(min_length=1, max_length=MAX_PASSKEY_NAME)]
"""The name that somebody gives to a passkey."""


class PasskeyEntry(Struct):
    """One of my passkeys."""

    id: str
    """As base64url."""
    name: str
    created: float
    used: float | None


class SessionEntry(Struct):
    """A device that is signed in to my account."""

    session: str
    """Names the session, and lets nobody in."""
    device: str
    created: float
    seen: float
    is_here: bool
    """It is the one that asks."""


class AccountAnswer(Struct):
    """How my name is kept; a guest without an account has none of it."""

    name: str
    is_kept: bool
    """I have an account: I can come back on any device."""
    passkeys: list[PasskeyEntry]
    code_made: float | None
    """When my recovery code was made; null without one. The code itself is not stored."""
    code_used: float | None
    oidc_since: float | None
    """Since when my name is kept by an account at the provider of OpenID Connect; null: it is not."""
    sessions: list[SessionEntry]
    matches: int
    """Finished matches in my list, as far as they count."""
    tables: int
    """Unfinished tables of mine. With `matches`: what another account would get if I joined it."""


class Options(Struct):
    """What the browser's `navigator.credentials` is to be asked, in its JSON form."""

    options: dict[str, Any]


class NewPasskey(Struct, forbid_unknown_fields=True):
    credential: dict[str, Any]
    """What `navigator.credentials.create` answered, in its JSON form."""
    name: PasskeyName


class RenamePasskey(Struct, forbid_unknown_fields=True):
    name: PasskeyName


class NewCode(Struct):
    """A recovery code. It is shown now and never again; the one before it is void."""

    code: str


class SignIn(Struct, forbid_unknown_fields=True):
    """With a passkey, with a recovery code, or by a provider of OpenID Connect."""

    credential: dict[str, Any] | None = None
    """What `navigator.credentials.get` answered, in its JSON form."""
    code: Annotated[str, Meta(max_length=100)] = ""
    oidc: bool = False
    """As the provider of OpenID Connect confirmed just now in this browser: its cookie says who it is."""
    join: Literal["ask", "join", "forget"] = "ask"
    """What becomes of the guest of this device: `join`: what they have belongs to the account from now on; `forget`:
    they are forgotten; `ask`: if there is anything to lose, nothing is done yet, and the answer is 409 `join-first`."""


class WaysIn(Struct):
    oidc: str
    """What people call the provider of OpenID Connect; empty: there is none."""


class SignedIn(Struct):
    name: str
    joined: bool
    """What the guest of this device had belongs to the account now."""


# ---------------------------------------------------------------- nudges


class ChannelEntry(Struct):
    """A way to reach me."""

    id: str
    type: Literal["push", "webhook", "mail"]
    to: str
    """The host that it goes to, or the mail address."""
    created: float
    sent: float | None
    """When something was last sent, and taken by the next machine on the way."""
    delivered: float | None
    """When something last arrived: a browser tells when it has a push message, a webhook and a mail server answer."""
    failures: int
    """How often in a row it failed since."""


Minute = Annotated[int, Meta(ge=0, le=1439)]


class NudgeChoices(Struct, forbid_unknown_fields=True):
    """How I want to be nudged."""

    language: Literal["en", "fr", "de"] = "en"
    zone: Annotated[str, Meta(max_length=60)] = "UTC"
    """A time zone, such as Europe/Berlin."""
    quiet_from: Minute | None = None
    """Minutes after midnight from which I am not nudged; null: at any time."""
    quiet_to: Minute | None = None


class NudgesAnswer(Struct):
    key: str
    """What a browser subscribes with: the server's public key. Empty: there are no push messages here."""
    channels: list[ChannelEntry]
    choices: NudgeChoices
    has_mail: bool = False
    """Whether this server sends mails."""
    unconfirmed: list[str] = []
    """Mail addresses of mine that wait for the link in a mail to be opened."""


class PushKeys(Struct, forbid_unknown_fields=True):
    p256dh: Annotated[str, Meta(min_length=80, max_length=100, pattern="^[A-Za-z0-9_-]+=*$")]
    auth: Annotated[str, Meta(min_length=20, max_length=30, pattern="^[A-Za-z0-9_-]+=*$")]


class NewChannel(Struct, forbid_unknown_fields=True):
    """A browser's push subscription, with its keys; or a webhook, without."""

    url: Annotated[str, Meta(min_length=8, max_length=1000)]
    keys: PushKeys | None = None


class NewMail(Struct, forbid_unknown_fields=True):
    address: Annotated[str, Meta(min_length=3, max_length=254)]


class MailToken(Struct, forbid_unknown_fields=True):
    """What a link in a mail contains."""

    token: Annotated[str, Meta(min_length=8, max_length=300)]


class MailConfirmed(Struct):
    address: str


class Delivered(Struct):
    delivered: bool
    """Whether it was sent; `ChannelEntry` says whether it arrived."""


class TableNudges(Struct, forbid_unknown_fields=True):
    """When I want to be nudged for a table."""

    choice: Literal["always", "away", "never"]
