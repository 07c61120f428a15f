"""Boots the virtual Pi and reports what the tests inside it found. Run by ``make virtual-pi-gpio``."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
LONGEST_S = 900
"""A guest that has not ended by then is stopped; with a processor to itself it takes about a minute."""
SAID = 6000
"""So many characters of the end of its console are shown when something went wrong."""

LEAST_TESTS = 15
"""Fewer have not run at all, whatever they say."""

pytestmark = pytest.mark.slow


def boot(exchange: Path, tests: str) -> tuple[dict[str, Any], str]:
    """What the guest's tests found, and everything it wrote to its console."""
    kernel, lgpio = os.environ.get("VIRTUAL_PI_KERNEL"), os.environ.get("VIRTUAL_PI_LGPIO")
    if not kernel or not lgpio:
        pytest.skip("the virtual Pi is run by make virtual-pi-gpio")
    job = [
        "env",
        f"PYTHONPATH={ROOT}:{lgpio}",
        "PYTHONDONTWRITEBYTECODE=1",  # the guest sees our files read only
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1",  # none is needed, and each takes its time to load
        "TMPDIR=/run",
        sys.executable,
        *("-m", "tests.virtual_pi.run_in_guest", "/mnt/results.json"),
        *("--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), str(HERE / tests)),
    ]
    (exchange / "job").write_text(shlex.join(job) + "\n", encoding="utf-8")
    ended = run([str(HERE / "boot.sh"), kernel, str(exchange), sys.executable], exchange / "console")
    said = (exchange / "console").read_text(encoding="utf-8", errors="replace")
    if not ended:
        pytest.fail(f"The virtual Pi did not end within {LONGEST_S} s and was stopped. {tail(said)}", pytrace=False)
    if not (exchange / "results.json").exists():
        pytest.fail(f"The virtual Pi ended without results. {tail(said)}", pytrace=False)
    results: dict[str, Any] = json.loads((exchange / "results.json").read_text(encoding="utf-8"))
    return results, said


def run(command: list[str], output: Path) -> bool:
    """Run a program until it ends by itself, or else stop it and all of its processes: False."""
    with output.open("wb") as said:
        program = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        program.wait(LONGEST_S)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()
    return True


def tail(said: str) -> str:
    """The end of the guest's console, for people."""
    return f"The last lines of its console:\n{said[-SAID:]}" if said.strip() else "It said nothing on its console."


def tell(results: dict[str, Any]) -> str:
    """The outcome of each test, with the figures it recorded."""
    told = [f"kernel {results['kernel']} on {results['machine']}"]
    for name, test in results["tests"].items():
        told.append(f"{test['outcome']}  {name}")
        told += [f"          {key}: {value}" for key, value in test["figures"].items()]
    return "\n".join(told)


def test_gpio(tmp_path: Path) -> None:
    start = time.monotonic()
    results, said = boot(tmp_path, "guest_gpio.py")
    sys.stdout.write(f"\n{tell(results)}\nThe virtual Pi ran for {time.monotonic() - start:.1f} s.\n")
    failed = [f"{name}\n{test['why']}" for name, test in results["tests"].items() if test["outcome"] != "passed"]
    assert not failed, "In the guest:\n" + "\n\n".join(failed)
    assert len(results["tests"]) >= LEAST_TESTS, tail(said)
    assert (tmp_path / "status").read_text(encoding="utf-8").strip() == "0", tail(said)
