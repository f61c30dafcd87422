"""Self-play training of the networks: `python -m train --config train/cpu.toml --minutes 10`.

Needs PyTorch (`make train` installs it, or `pip install 'atout[train]'`); the package itself does not import it. The
settings are in `config.py`, the learning algorithm (PPO) in `learn.py`, the collection of experience in `selfplay.py`.
"""
