"""What `handoffctl diff` does: find what is compared with what, report it, say whether anything differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from handoffctl.cli.diff import Comparing
from handoffctl.cli.look import Look
from handoffctl.cli.options import Filters
from handoffctl.cli.reporting import Reporting
from handoffctl.conversations import Selection
from handoffctl.errors import ExitCode, UsageError
from handoffctl.reports.diff import DiffReport
from handoffctl.reports.diffing import NOTHING_HELP, Question, answer, compare_files
from handoffctl.reports.received import NEXT_AGENT


@dataclass(frozen=True)
class Diffing:
    """One run of the command."""

    filters: Filters
    comparing: Comparing
    selection: Selection
    look: Look

    def run(self, paths: Sequence[str]) -> int:
        """Compare, and write the reports; the exit code. Raises UsageError where there is nothing to compare."""
        reporting = Reporting(self.selection, self.look, view=self.comparing.view, is_paged=True)
        differences: list[bool] = []
        code = reporting.put(_noticed(self._reports(paths, reporting), differences))
        found = ExitCode.FOUND if self.comparing.exit_code and any(differences) else ExitCode.DONE
        return max(code, found)

    def _reports(self, paths: Sequence[str], reporting: Reporting) -> Iterator[DiffReport]:
        question, eye = self._question(), reporting.eye
        if question.chain is None and len(paths) == 2:
            before, after = ([*reporting.transcripts([path])] for path in paths)
            yield from compare_files(before, after, eye, next_agent=question.next_agent)
            return
        for transcript in reporting.transcripts(paths):
            if question.chain is None and transcript.after is None and len(paths) > 2:
                what = f"diff compares two files, or each one with a chain; here are {len(paths)} and no chain"
                raise UsageError(what, help=NOTHING_HELP)
            yield answer(transcript, question, eye)

    def _question(self) -> Question:
        as_ = self.comparing.as_
        if as_ is not None and as_.replace("_", "-") != NEXT_AGENT:
            raise UsageError("a diff is as it is, or as the next agent sees it", place=f"--as {as_}", help=NEXT_AGENT)
        against = self.comparing.against
        second = None if against is None else replace(self.filters, chain=against, filter=None).built()
        return Question(self.filters.built(), second, self.comparing.steps, as_ is not None)


def _noticed(reports: Iterator[DiffReport], differences: list[bool]) -> Iterator[DiffReport]:
    """The reports as they pass; whether each of them differs is written down."""
    for report in reports:
        differences.append(report.is_changed)
        yield report
