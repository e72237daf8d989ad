"""The values that a renderer gets. All are frozen, and all are plain JSON values inside."""

from __future__ import annotations

from handoffctl.report_diff import DiffReport
from handoffctl.report_inspect import InspectReport
from handoffctl.report_show import ShowReport

Report = DiffReport | InspectReport | ShowReport

__all__ = ["DiffReport", "InspectReport", "Report", "ShowReport"]
