"""The watcher: sees hands over the table, waits until it is still, and takes the picture.

change.py       what changed between two previews, light left aside
watch_state.py        the state machine over time, and when to take a picture
watcher.py      runs both on a camera
table_guard.py  whether the camera or the table has moved
table_place.py  where the table was, kept in a file
button.py       an optional button on the Pi's pins
"""
