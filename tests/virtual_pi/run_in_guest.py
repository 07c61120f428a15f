"""Runs inside the virtual Pi: the tests named, and what they found as JSON for the host.

usage: python -m tests.virtual_pi.run_in_guest RESULTS.json TEST_FILE...
"""

from __future__ import annotations

import json
import platform
import sys
from pathlib import Path
from typing import Any

import pytest

HANGS_S = 120
"""After so long in one test, the console shows where each of its threads is."""


class Collect:
    """Every test with its outcome, and the figures it recorded with ``record_property``."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, Any]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        entry = self.tests.setdefault(report.nodeid.rpartition("::")[2], {"outcome": "passed"})
        entry["figures"] = dict(report.user_properties)
        if report.outcome != "passed":
            entry["outcome"] = report.outcome
            entry["why"] = report.longreprtext

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.tests[report.nodeid] = {"outcome": "failed", "why": report.longreprtext, "figures": {}}


def main(results: Path, files: list[str]) -> int:
    collect = Collect()
    options = ["-p", "no:cacheprovider", "-v", "-o", f"faulthandler_timeout={HANGS_S}", "-m", ""]
    status = pytest.main([*options, *files], plugins=[collect])
    found = {"kernel": platform.release(), "machine": platform.machine(), "tests": collect.tests}
    results.write_text(json.dumps(found, indent=1), encoding="utf-8")
    return int(status)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
