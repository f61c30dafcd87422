"""Self-play training of the learned player: `python -m train --config train/cpu.toml --minutes 10`.

Needs PyTorch (`pip install atout[train]`); nothing of the package imports it. Read `config.py` for what can be set,
`learn.py` for how a network learns, `selfplay.py` for what it learns from.
"""
