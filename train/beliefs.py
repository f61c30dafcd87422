"""The belief model in training (`atout/nets/beliefs.py` says what it is): targets, and the chance of the true places.

The truth is in the hidden numbers of a decision. While choices are being made (before the first trick), a seat's cards
count as its hand, whether put aside or not: in a world that is drawn, the player network makes those choices.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
import torch.nn.functional as functional

from atout.knowledge import features as at
from atout.nets.weights import WHERE
from atout.rules.layout import COLOURS, PLAY, SEATS
from train.net import Net

OTHERS = SEATS - 1


class Cards(NamedTuple):
    """The unseen cards of every row in the order in which they are placed."""

    places: Any
    """The card, as a place on the grid."""
    where: Any
    """Where it is (`WHERE`)."""
    there: Any
    """Whether there is a card; the rows have different lengths."""
    room: Any
    """The room for cards in each place before any is placed."""


def true_counts(observation: Any, hidden: Any) -> Any:
    """How many unseen copies of each card are in each place: rows × WHERE × GRID."""
    hands = hidden[:, : at.ASIDE].view(-1, OTHERS, at.GRID).int()
    aside = hidden[:, at.ASIDE :].view(-1, OTHERS, at.GRID).int()
    left = hands[:, :1] - observation[:, None, at.KNOWN : at.KNOWN + at.GRID].int()
    hands = torch.cat([left, hands[:, 1:]], 1)
    in_play = observation[:, at.PHASE + PLAY].int()[:, None, None]
    undealt = observation[:, at.UNSEEN : at.UNSEEN + at.GRID].int() - hands.sum(1) - aside.sum(1)
    return torch.cat([hands + aside * (1 - in_play), aside * in_play, undealt[:, None]], 1)


def bound_cards(observation: Any, colours: int) -> Any:
    """The cards that some place cannot take, nearly as `knowledge/unseen.py` finds them: they are placed first."""
    rows, ranks = len(observation), at.GRID // colours
    cannot = observation[:, at.CANNOT : at.CANNOT + SEATS * COLOURS].view(rows, SEATS, COLOURS)[:, 1:, :colours] > 0
    holds = observation[:, at.IN_HAND + 1 : at.IN_HAND + SEATS] > 0
    slots = (cannot & holds[:, :, None]).any(1)
    bound = slots[:, :, None].repeat(1, 1, ranks)
    apart = (observation[:, at.PHASE + PLAY] > 0) & (observation[:, at.GIVE_PASS] == 0)
    low = apart & (observation[:, at.GIVE_NOT_LOW] > 0) & (observation[:, at.GIVEN + 1] > 0)
    bound[:, :, 0] |= low[:, None]
    return bound.view(rows, at.GRID)


def true_cards(observation: Any, hidden: Any, colours: int, copies: int, longest: int) -> Cards:
    """The true places as a sequence. Copies of a card are in random order, because they are different cards in a deal.

    `copies` is the most copies that a card has, `longest` the most unseen cards.
    """
    counts = true_counts(observation, hidden)
    device, rows = observation.device, len(observation)
    total = counts.sum(1)
    number = torch.arange(copies, device=device)
    where = (counts.cumsum(1)[:, :, :, None] <= number).sum(1)
    there = number < total[:, :, None]
    shuffled = (torch.rand(where.shape, device=device) + 2 * ~there).argsort(2)
    where = where.gather(2, shuffled)
    index = torch.arange(at.GRID * copies, device=device).view(at.GRID, copies)
    bound = bound_cards(observation, colours)[:, :, None]
    key = (~there) * 4 * index.numel() + (~bound) * 2 * index.numel() + index
    order = key.view(rows, -1).argsort(1)[:, :longest]
    there = there.view(rows, -1).gather(1, order)
    where = torch.where(there, where.view(rows, -1).gather(1, order), 0)
    return Cards(order // copies, where, there, counts.sum(2))


def make_beliefs(inputs: Any, width: int, blocks: int, head: int) -> Net:
    """A belief model that places cards uniformly, to begin with."""
    net = Net(inputs[inputs < at.SIZE], width, blocks, at.GRID * WHERE + head, 0.1)
    device = net.inputs.device
    shapes = {"head_card": (at.GRID, head), "head_placed": (at.GRID * WHERE, head), "head_place": (WHERE, head)}
    for name, shape in shapes.items():
        net.parameters[name] = (0.02 * torch.randn(shape)).to(device).requires_grad_()
    return net


def log_chances(net: Net, observation: Any, cards: Cards) -> tuple[Any, Any]:
    """The log-probability of the true place of every card, given those before it; and that of the uniform sampler."""
    p, out = net.parameters, net(observation[:, net.inputs]).float()
    rows, cells = len(out), at.GRID * WHERE
    base = out[:, :cells].view(rows, at.GRID, WHERE)
    base = base.gather(1, cards.places[:, :, None].expand(-1, -1, WHERE))
    earlier = functional.embedding(cards.places * WHERE + cards.where, p["head_placed"]) * cards.there[:, :, None]
    earlier = earlier.cumsum(1) - earlier
    card = functional.one_hot(cards.places, at.GRID).to(p["head_card"].dtype) @ p["head_card"]
    inner = functional.relu(out[:, None, cells:] + card + earlier)
    taken = functional.one_hot(cards.where, WHERE) * cards.there[:, :, None]
    room = (cards.room[:, None, :] - (taken.cumsum(1) - taken)).float()
    uniform = torch.where(room > 0, room.clamp_min(0.5).log(), -1e9)
    logits = uniform + base + inner @ p["head_place"].T
    true = cards.where[:, :, None]
    mine = torch.log_softmax(logits, 2).gather(2, true)[:, :, 0]
    plain = torch.log_softmax(uniform, 2).gather(2, true)[:, :, 0]
    return mine * cards.there, plain * cards.there
