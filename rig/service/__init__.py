"""The service: photos, readings, corrections, rounds and live events over HTTP; docs/api.md."""
