"""The values that a renderer gets. All are frozen, and all are plain JSON values inside."""

from __future__ import annotations

from handoffctl.reports.diff import DiffReport
from handoffctl.reports.inspection import InspectReport
from handoffctl.reports.show import ShowReport

Report = DiffReport | InspectReport | ShowReport

__all__ = ["DiffReport", "InspectReport", "Report", "ShowReport"]
