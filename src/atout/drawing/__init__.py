"""Drawings of the game as SVG: cards, the characters of the players, symbols and fonts.

The shapes are those of the page (`web/src/art/shapes.ts`). Pictures of public matches and of environments are made of
them, and PDF files are set in the fonts.
"""
