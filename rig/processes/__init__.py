"""Processes of our own beside the rig, which may hang or die and are ended and replaced then.

    supervised.py   a program that is started with a line to it, and ended from any thread
    killable.py     on it: one that answers questions, each within a time (photos, lenses)

A camera's process (`rig.cameras.process`) stands on the first too, and speaks a language of its
own, as it may run on another Python.
"""
