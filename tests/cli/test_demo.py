"""`handoffctl demo` in a fresh install."""

from __future__ import annotations

from handoffctl.cli.demo import SAMPLE
from tests.conftest import ROOT, SAMPLES, RunCli


def test_demo_inspects_and_diffs_its_own_sample(run_cli: RunCli) -> None:
    done = run_cli("demo")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "$ handoffctl inspect refund.json" in text
    assert "$ handoffctl diff refund.json -f remove_all_tools" in text
    assert "9 → 3 items" in text
    assert text.count("\n  handoffctl ") == 3


def test_packaged_sample_is_the_one_of_the_readme() -> None:
    packaged = ROOT / "handoffctl" / "demo" / SAMPLE
    assert packaged.read_bytes() == (SAMPLES / "handoff" / SAMPLE).read_bytes()
