"""The command `tacta`: one module a subcommand, none of which imports anything heavy at the top."""

import errno
import os
import sys
import warnings
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.exceptions import Abort, TyperException

from rig.command_line import exit_status
from rig.command_line.kept.backup import backup
from rig.command_line.kept.export import export
from rig.command_line.kept.lost import lost
from rig.command_line.kept.restore import restore
from rig.command_line.kept.rounds import rounds
from rig.command_line.photos.coach import coach
from rig.command_line.photos.score import score
from rig.command_line.photos.simulate import simulate
from rig.command_line.setup.calibrate import calibrate
from rig.command_line.setup.doctor import doctor
from rig.command_line.setup.enrol import enrol
from rig.command_line.setup.plan import plan
from rig.command_line.setup.print_sheets import print_sheets
from rig.command_line.table.capture import capture
from rig.command_line.table.follow import follow
from rig.command_line.table.lamp import lamp
from rig.command_line.table.pair import pair
from rig.command_line.table.replay import replay
from rig.command_line.table.serve import serve
from rig.command_line.table.tokens import tokens
from rig.command_line.table.watch import watch
from rig.trouble import PhotoTrouble, Trouble

SHOW_TRACEBACK = "TACTA_TRACEBACK"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)

app = typer.Typer(
    name="tacta",
    help="Score a round of TACTA from a photograph of the table.",
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command(no_args_is_help=False)(score)
app.command(no_args_is_help=False)(follow)
app.command(no_args_is_help=True)(replay)
app.command(no_args_is_help=True)(coach)
app.command(no_args_is_help=False)(simulate)
app.command(no_args_is_help=False)(watch)
app.command(no_args_is_help=False)(capture)
app.command(no_args_is_help=False)(doctor)
app.command(no_args_is_help=False)(serve)
app.command(no_args_is_help=False)(rounds)
app.command(no_args_is_help=False)(export)
app.command(no_args_is_help=False)(pair)
app.command(no_args_is_help=False)(backup)
app.command(no_args_is_help=True)(restore)
app.command(no_args_is_help=False)(lost)
app.command(no_args_is_help=False)(lamp)
app.command("print", no_args_is_help=True)(print_sheets)
app.add_typer(calibrate, name="calibrate")
app.add_typer(tokens, name="tokens")
app.command(no_args_is_help=True)(enrol)
app.command(no_args_is_help=False)(plan)


def main() -> NoReturn:
    """Run the command line and leave with the contract's exit status."""
    if not os.environ.get(SHOW_TRACEBACK):
        warnings.simplefilter("ignore")  # a division that went wrong somewhere helps nobody here
    raise SystemExit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run `tacta` with these arguments and return the exit status. Prints one line a fault."""
    _open_what_is_closed()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode still gets its table
    try:
        status = app(args=arguments, prog_name="tacta", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # `tacta ... | head`: nobody reads on, and that is no fault
        _print_no_more()
        return exit_status.BAD
    except Abort:
        return _say("stopped.", exit_status.BAD)
    except TyperException as error:
        line = _usage_line(error)  # empty where typer has already shown the help
        return _say(line, exit_status.USAGE) if line else exit_status.USAGE
    except Trouble as error:
        photo = isinstance(error, PhotoTrouble)
        return _say(str(error), exit_status.BAD if photo else exit_status.USAGE)
    except OSError as error:
        if error.errno not in _NO_ROOM:
            return _fault(error)
        _print_no_more()
        return _say(f"not all could be written ({error.strerror}): make room.", exit_status.BAD)
    except Exception as error:  # noqa: BLE001 - never a traceback
        return _fault(error)
    return status if isinstance(status, int) else exit_status.GOOD


def _open_what_is_closed() -> None:
    """`tacta ... 2>&-`: what nobody is to see goes nowhere, and not to the other stream."""
    if None in (sys.stdout, sys.stderr):
        nowhere = Path(os.devnull).open("w")  # noqa: SIM115 - until the program ends
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere


def _print_no_more() -> None:
    """What could not be printed is not tried again when the program ends."""
    with suppress(OSError):
        sys.stdout.flush()
    with suppress(OSError):  # a stream that is no file has nothing left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _usage_line(error: TyperException) -> str:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "tacta"
    message = " ".join(error.format_message().split()).replace("Value error, ", "")
    if not message:
        return ""
    return (
        f"{message if message.endswith('?') else message.rstrip('.') + '.'} See: {command} --help"
    )


def _fault(error: Exception) -> int:
    if os.environ.get(SHOW_TRACEBACK):
        raise error
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    report = f"please report it. {SHOW_TRACEBACK}=1 shows where."
    return _say(f"a fault in the program ({what}); {report}", exit_status.BAD)


def _say(sentence: str, status: int) -> int:
    print(f"tacta: {sentence}", file=sys.stderr)
    return status


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"tacta {metadata.version('tacta-rig')}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            metavar="",
            callback=_print_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    pass
