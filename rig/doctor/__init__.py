"""`tacta doctor`: checks that each return a Finding; `examination.py` runs them all.

machine.py (clock, disk, what is kept), camera.py, picture.py (light, table)
"""
