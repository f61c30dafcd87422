"""The rules of both games, as functions on flat arrays of integers. They are compiled; nothing here does I/O.

Read in this order:

    layout        how phases, actions and cards are numbered, and the records that hold them
    cards, bits   sets of cards, and the bit operations under them
    step          the switch over the phases: `legal` and `apply`
    deal          a round begins
    veto, team, discard, trick    the phases of Njet!
    lay, trick    the phases of Null & nichtig
    scoring, match                what a round is worth, the next round, the end
    refusal       why an action is not legal

The rest serves these: `log` and `autoplay` (actions as numbers, forced moves), `rng`, `check` and `random_play` (tests
and measurements), `jit` (how functions are compiled), `arrays` and `entries` (what Python calls).
"""
