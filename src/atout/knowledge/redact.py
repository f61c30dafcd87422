"""Redaction, the only way from the state to what one seat may know (rules §9; Null & nichtig §7).

`redact` copies into an empty state what everybody sees and what is the seat's own, field by field, so a
field that is not listed stays hidden. What can be remembered of the round (who covered what, who played
what, who could not follow) is read from the log into FACTS.

Arguments: `s` state, `o` redacted state, `f` facts, `r` rules.
"""

from __future__ import annotations

from typing import Any

from atout.rules.bits import ctz
from atout.rules.cards import copies_of, spare_with
from atout.rules.jit import rule
from atout.rules.layout import DECK, DISCARD, DOUBLE, LAY, NICHTIG, NOBODY, PASS, PLAY, SEATS, TEAM, VETO
from atout.rules.log import HIDDEN, action_of, hidden, phase_of, seat_of
from atout.rules.trick import collected_from, following, shown_absent


@rule
def is_hidden(s: Any, r: Any, seat: int, entry: int) -> bool:
    """Whether the entry is another seat's discard or pass, or its lay-out before all have chosen.

    A passed card is known to its receiver once it has arrived.
    """
    chooser, phase = seat_of(entry), phase_of(entry)
    if chooser == seat:
        return False
    if phase == LAY:
        return s.phase == LAY
    if phase == PASS:
        return not was_passed(s, r) or (chooser + 1) % r.players != seat
    return phase == DISCARD


@rule
def was_passed(s: Any, r: Any) -> bool:
    """Whether cards were passed this round and have arrived."""
    deciding = s.phase == VETO or s.phase == TEAM or s.phase == DOUBLE or s.phase == PASS
    return not deciding and r.give_pass[s.giving] != 0


@rule
def redact(s: Any, r: Any, log: Any, length: int, seat: int, o: Any, f: Any, redacted_log: Any) -> None:
    """Fill the redacted state `o`, the facts `f` and the redacted log; for the seat NOBODY, only what is public."""
    redact_public(s, o)
    if seat != NOBODY:
        o.hand[seat] = s.hand[seat]
        o.spare[seat] = s.spare[seat]
        o.gone[seat] = s.gone[seat]
        o.gone_spare[seat] = s.gone_spare[seat]
    for other in range(SEATS):
        o.tops[other] = s.tops[other] if s.phase != LAY or other == seat else 0
    for i in range(length):
        redacted_log[i] = log[i]
        if is_hidden(s, r, seat, log[i]):
            redacted_log[i] = hidden(log[i])
    fill_facts(o, r, redacted_log, length, seat, f)


@rule
def redact_public(s: Any, o: Any) -> None:
    """What everybody at the table sees."""
    o.phase = s.phase
    o.turn = s.turn
    o.finished = s.finished
    o.dealer = s.dealer
    o.free = s.free
    o.shut = s.shut
    o.start = s.start
    o.giving = s.giving
    o.trump = s.trump
    o.super = s.super
    o.points = s.points
    o.trumps = s.trumps
    o.supers = s.supers
    o.side = s.side
    o.doubler = s.doubler
    o.todo = s.todo
    o.played = s.played
    o.follow = s.follow
    o.beating = s.beating
    o.best = s.best
    o.lows = s.lows
    o.tricks = s.tricks
    o.loot = s.loot
    for seat in range(SEATS):
        o.totals[seat] = s.totals[seat]
        o.scores[seat] = s.scores[seat]
        o.trick[seat] = s.trick[seat]
        o.hand[seat] = 0
        o.spare[seat] = 0
        o.gone[seat] = 0
        o.gone_spare[seat] = 0
        o.tops[seat] = 0


@rule
def fill_facts(o: Any, r: Any, log: Any, length: int, seat: int, f: Any) -> None:
    """Fill the facts from a redacted state and log alone, so that a view sent to a client is enough to know them."""
    f.seat = seat
    f.passed = 1 if was_passed(o, r) and length > 0 else 0
    f.laid_count = 0
    f.play_count = 0
    f.undealt = r.cards - r.players * r.hand_size
    for i in range(DECK):
        f.laid[i] = 0
        f.plays[i] = 0
    for other in range(SEATS):
        f.in_hand[other] = r.hand_size if other < r.players else 0
        f.given[other] = 0
        f.marks[other] = 0
        f.cannot[other] = 0
        f.seen[other] = 0
        f.seen_spare[other] = 0
        f.known[other] = 0
        f.known_spare[other] = 0
    first_play = length
    for i in range(length):
        entry = log[i]
        actor, phase, action = seat_of(entry), phase_of(entry), action_of(entry)
        if phase == VETO:
            f.marks[actor] |= 1 << action
        elif phase == DISCARD or phase == PASS or phase == LAY:
            add_choice(o, r, actor, phase, action, f)
        elif phase == PLAY:
            first_play = min(first_play, i)
            f.in_hand[actor] -= 1
            f.plays[f.play_count] = action
            f.play_count += 1
            add_shown(r, actor, action, f)
    add_tricks(o, r, log, length, first_play, f)
    if f.passed != 0 and seat != NOBODY:
        add_passed(o, r, seat, f)


@rule
def add_shown(r: Any, actor: int, kind: int, f: Any) -> None:
    f.seen_spare[actor] = spare_with(r, f.seen[actor], f.seen_spare[actor], kind)
    f.seen[actor] |= 1 << kind


@rule
def add_choice(o: Any, r: Any, actor: int, phase: int, kind: int, f: Any) -> None:
    f.given[actor] += 1
    if f.passed == 0:
        f.in_hand[actor] -= 1
    if kind != HIDDEN and actor != f.seat:
        o.gone_spare[actor] = spare_with(r, o.gone[actor], o.gone_spare[actor], kind)
        o.gone[actor] |= 1 << kind
    if phase == LAY and o.phase != LAY:
        add_shown(r, actor, kind, f)
        f.laid[f.laid_count] = actor << 6 | kind
        f.laid_count += 1


@rule
def add_tricks(o: Any, r: Any, log: Any, length: int, first_play: int, f: Any) -> None:
    """Note trick by trick who could not follow, and in which order the piles grew."""
    i = first_play
    while i < length:
        count = min(r.players, length - i)
        leader = seat_of(log[i])
        follow = following(o, r, action_of(log[i]))
        for j in range(1, count):
            f.cannot[seat_of(log[i + j])] |= shown_absent(o, r, follow, action_of(log[i + j]))
        if count == r.players and r.game == NICHTIG:
            winner = o.best if i + count == length else seat_of(log[i + count])
            for j in range(count):
                source = collected_from(r, winner, j)
                kind = action_of(log[i + (source - leader) % r.players])
                f.laid[f.laid_count] = winner << 6 | kind
                f.laid_count += 1
        i += count


@rule
def add_passed(o: Any, r: Any, seat: int, f: Any) -> None:
    """Note the cards that the left neighbour must still hold: passed to it, and not shown since."""
    left = (seat + 1) % r.players
    kinds = o.gone[seat]
    while kinds != 0:
        kind = ctz(kinds)
        kinds &= kinds - 1
        passed = copies_of(r, o.gone[seat], o.gone_spare[seat], kind)
        shown = copies_of(r, f.seen[left], f.seen_spare[left], kind)
        for _ in range(passed - shown):
            f.known_spare[left] = spare_with(r, f.known[left], f.known_spare[left], kind)
            f.known[left] |= 1 << kind
