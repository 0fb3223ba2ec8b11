"""`tacta doctor`: each check one module with one function that returns a Finding.

camera.py, disk.py, clock.py, table.py, light.py; examination.py runs them all
"""
