"""The names and addresses by which phones find this machine."""

import socket


def own_names() -> tuple[str, ...]:
    """The address towards the network first, then the machine's names."""
    host = socket.gethostname().lower()
    names = [host, f"{host.partition('.')[0]}.local"]
    address = _address()
    return tuple(dict.fromkeys([address, *names] if address else names))


def _address() -> str | None:
    """The address that packets to the outside would carry; nothing is sent."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address kept for examples
            return str(probe.getsockname()[0])
    except OSError:
        return None
