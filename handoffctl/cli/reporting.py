"""What the commands that report share: how files are looked at, drawn and put out."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from handoffctl.cli.look import Look
from handoffctl.cli.messages import Complaints
from handoffctl.cli.paging import put_pieces
from handoffctl.conversations import Opened, Selection
from handoffctl.counts import load_counter
from handoffctl.errors import HandoffctlError, MalformedDump, UsageError
from handoffctl.loading import Loaded
from handoffctl.model import Transcript
from handoffctl.registry import suggestion
from handoffctl.renderers import RENDERERS, Renderer
from handoffctl.renderers.paper import paper_for
from handoffctl.report import Report
from handoffctl.reports.shown import Eye, unit_of
from handoffctl.secrets import Mask


@dataclass(frozen=True)
class Reporting:
    """One run of a command that reports on conversations."""

    selection: Selection
    look: Look
    view: str = "unified"
    is_paged: bool = False
    complaints: Complaints = field(default_factory=Complaints)

    @property
    def eye(self) -> Eye:
        """How items are looked at. Raises UsageError for an unknown counter."""
        mask = str if self.look.reveal else Mask()
        counter = load_counter(self.look.counter)
        return Eye(counter, mask, self.selection.handoff_tools, unit_of(counter))

    def files(self, paths: Sequence[str]) -> Iterator[Opened]:
        """Each file that can be read; others are told. Raises InputError where it is the only one."""
        for path in paths:
            try:
                yield Opened.of(path, self.selection)
            except HandoffctlError as error:
                if len(paths) == 1 or self.selection.fail_fast:
                    raise
                self.complaints(error)

    def records(self, opened: Opened) -> Iterator[Sequence[Transcript]]:
        """The conversations of each record that can be read; faults are told."""
        for each in opened:
            if isinstance(each, Loaded):
                yield each.transcripts
            elif isinstance(each, MalformedDump):
                self.complaints(each)

    def transcripts(self, paths: Sequence[str]) -> Iterator[Transcript]:
        """The conversations of all files, one after the other."""
        for opened in self.files(paths):
            for transcripts in self.records(opened):
                yield from transcripts

    def put(self, reports: Iterable[Report]) -> int:
        """Write the reports to standard output as they come; the exit code of what could not be read."""
        renderer = self._renderer()
        paper = paper_for(sys.stdout, width=self.look.width, color=self.look.color, view=self.view)
        put_pieces(renderer.render(reports, paper), is_paged=self.is_paged and self.look.renderer == "human")
        return self.complaints.close()

    def _renderer(self) -> Renderer:
        name = self.look.renderer
        try:
            renderer: Renderer = RENDERERS.get(name)()
        except UsageError as error:
            known = RENDERERS.names()
            hint = f"{suggestion(name, known)} there are: {', '.join(known)}".strip()
            raise UsageError("no such format", place=f"--format {name}", help=hint) from error
        return renderer
