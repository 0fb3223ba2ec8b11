"""Cameras: each runs in a process of its own, and the rest of the rig sees a `LiveCamera`.

    camera.py       the interface that the rest of the rig uses
    choice.py       which camera, from a word such as `pi`, `usb:0` or `folder:PATH`
    live_camera.py  the one implementation: keeps a camera process alive, knows its state
    pulse.py        the state, as pure functions of what was heard and when
    process.py, wire.py, child.py   the process and what is said to it
    source.py       the interface inside the process, with one module a kind of camera:
                    pi.py, stream.py, folder.py, table.py, game.py

Nothing is imported here: the process of the Pi's camera runs on the system's
Python and has only what that has.
"""
