"""``companion doctor``: is this machine ready."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import click
import msgspec

from companion.app import config as config_file
from companion.app import doctor
from companion.cli.wrong import StaysWrong
from companion.words import Text, _, n_, verbatim
from hardware import chips, timing
from hardware.chips import Gpio, GpioError
from hardware.timing import RaceTiming

_MARKS = {"ok": "ok     ", "note": "note   ", "problem": "PROBLEM"}
_WIDEST = 50


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--skip", multiple=True, type=click.Choice(doctor.NAMES), help="Leave a check out; may be repeated.")
@click.option("--data", type=click.Path(path_type=Path), help="Folder for journal and pictures.")
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="A config file.")
@click.option("--race", is_flag=True, help="Measure how close two presses can be told apart, instead of the checks.")
@click.option(
    "--output", type=click.IntRange(0, 53), default=25, show_default=True, help="BCM pin wired to both inputs."
)
@click.option(
    "--inputs", type=click.IntRange(0, 53), nargs=2, default=(23, 24), show_default=True, help="The two input pins."
)
@click.option("--pulses", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="How many pulses.")
def command(
    as_json: bool,
    skip: tuple[str, ...],
    data: Path | None,
    config_path: Path | None,
    race: bool,
    output: int,
    inputs: tuple[int, int],
    pulses: int,
) -> None:
    """Is this machine ready: software, GPIO, clock, camera, disk, memory, power, network. One sentence each.

    With --race, wire the output pin through a resistor of 1 kOhm to both inputs, with no buttons on them. The output is
    switched again and again; what the stamps of the inputs differ by is the least tie window to use here.

    Exit status: 0 ready (or measured), 1 a problem was found, 2 wrong use: options or config file have to be mended.
    """
    if race:
        if len({output, *inputs}) < 3:
            raise click.UsageError("--output and the two --inputs are three different pins.")
        sys.exit(_race(output, inputs, pulses, as_json))
    try:
        config = config_file.load(config_path)
    except config_file.ConfigError as error:
        raise StaysWrong(str(error)) from error
    checks = doctor.examine(data or config.data_folder, skip)
    problems = sum(check.found == "problem" for check in checks)
    if as_json:
        lines = [{"check": check.name, "found": check.found, "sentence": str(check.sentence)} for check in checks]
        click.echo(json.dumps({"ready": not problems, "checks": lines}))
    else:
        for check in checks:
            click.echo(f"{_MARKS[check.found]}  {check.sentence}")
        click.echo(_summary(problems))
    sys.exit(1 if problems else 0)


def _summary(problems: int) -> Text:
    if not problems:
        return _("This machine is ready.")
    return n_("{count} problem has to be mended first.", "{count} problems have to be mended first.", problems)


def _race(output: int, inputs: tuple[int, int], pulses: int, as_json: bool) -> int:
    try:
        with Gpio.open() as gpio:
            measured = timing.measure(gpio.factory, inputs, timing.output_drive(gpio.factory, output), pulses)
    except GpioError as error:
        raise click.ClickException(str(error.sentence)) from error
    except Exception as error:  # gpiozero's and lgpio's errors have no class in common
        raise click.ClickException(str(_why(error, (output, *inputs)))) from error
    click.echo(json.dumps(as_figures(measured)) if as_json else "\n".join(map(str, tell(measured))))
    return 0 if measured.differences_ns and not measured.lost else 1


def _why(error: Exception, pins: tuple[int, ...]) -> Text:
    """What keeps the pins from being used, with the name of whoever holds one."""
    number = chips.find(chips.chips()).number
    held = [(pin, name) for pin in pins if (name := chips.holder(number, pin)) is not None]
    if "busy" in str(error).lower() and held:
        who = ", ".join(chips.programs()) or held[0][1]
        return _("Pin {pin} is held by {holder}. Stop that program, or use another pin.", pin=held[0][0], holder=who)
    return _("The pins cannot be used: {why}.", why=str(error).strip("'"))


def as_figures(measured: RaceTiming) -> dict[str, Any]:
    """What was measured, for ``--json``."""
    return {
        "inputs": list(measured.inputs),
        "clock": measured.clock,
        "pulses": len(measured.differences_ns),
        "lost": measured.lost,
        "uneven": measured.uneven,
        "median_ns": measured.quantile_ns(0.5),
        "p99_ns": measured.quantile_ns(0.99),
        "p999_ns": measured.quantile_ns(0.999),
        "largest_ns": measured.quantile_ns(1.0),
        "window_ns": measured.window_ns,
        "histogram": [msgspec.to_builtins(one) for one in measured.histogram()],
    }


def tell(measured: RaceTiming) -> list[Text]:
    """The same for people: a histogram, then what to do."""
    told = []
    bins = measured.histogram()
    most = max((one.count for one in bins), default=1)
    for one in bins:
        span = f"{one.from_ns / 1000:10.1f} … {one.to_ns / 1000:.1f} µs"
        told.append(verbatim(f"{span:<28}{one.count:6}  {'#' * math.ceil(_WIDEST * one.count / most)}".rstrip()))
    if measured.lost:
        told.append(
            n_(
                "{count} pulse was not reported by both inputs. Check the wires from the output to each input.",
                "{count} pulses were not reported by both inputs. Check the wires from the output to each input.",
                measured.lost,
            )
        )
    if measured.clock == "software":
        told.append(_("The stamps are the program's, not the kernel's: install python3-lgpio and measure again."))
    if measured.differences_ns:
        told.append(
            _(
                "Of {pulses} pulses, half differ by {median} µs or less, 99.9 % by {tail} µs or less.",
                pulses=str(len(measured.differences_ns)),
                median=f"{measured.quantile_ns(0.5) / 1000:.1f}",
                tail=f"{measured.quantile_ns(0.999) / 1000:.1f}",
            )
        )
        told.append(_("Use a tie window of at least {ms} ms here.", ms=f"{measured.window_ns / 1e6:.2f}"))
    return told
