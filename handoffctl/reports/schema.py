"""JSON Schemas of what handoffctl reads and writes. Imports pydantic: import this module when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from handoffctl.errors import UsageError
from handoffctl.registry import suggestion
from handoffctl.report import DiffReport, InspectReport, Report, ShowReport
from handoffctl.reports.filtering import FilterReport

DIALECT = "https://json-schema.org/draft/2020-12/schema"
JsonItem = dict[str, Any]


class _Open(BaseModel):
    """An object that may hold more than is named here."""

    model_config = ConfigDict(extra="allow", title=None)


class WrappedItem(_Open):
    """A run item with its wrapper, as the SDK has it."""

    type: str
    raw_item: JsonItem
    agent: str | JsonItem | None = None


class HandoffDump(_Open):
    """A dump of HandoffInputData: what an input filter gets. Run items may stand wrapped or bare."""

    input_history: str | list[JsonItem]
    pre_handoff_items: list[WrappedItem | JsonItem] = []
    new_items: list[WrappedItem | JsonItem] = []
    input_items: list[WrappedItem | JsonItem] | None = None


class HandoffRecord(_Open):
    """The record of a handoff: what its filter got and gave."""

    handoffctl: Literal[1]
    from_: Annotated[str | None, Field(alias="from")] = None
    to: str | None = None
    tool: str | None = None
    at: str | None = None
    before: HandoffDump
    after: HandoffDump | None = None


_ADAPTERS: dict[str, Callable[[], TypeAdapter[Any]]] = {
    "handoff": lambda: TypeAdapter(HandoffDump | HandoffRecord),
    "report": lambda: TypeAdapter(Report | FilterReport),
    "diff": lambda: TypeAdapter(DiffReport),
    "inspect": lambda: TypeAdapter(InspectReport),
    "show": lambda: TypeAdapter(ShowReport),
    "filter": lambda: TypeAdapter(FilterReport),
}
NAMES = tuple(_ADAPTERS)


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of that name: `handoff` of the dump and the record, `report` of all reports, or one command's.

    Raises UsageError for an unknown name.
    """
    if name not in _ADAPTERS:
        hint = suggestion(name, list(NAMES))
        raise UsageError("no such schema", place=name, help=f"{hint} there are: {', '.join(NAMES)}".strip())
    mode: Literal["validation", "serialization"] = "validation" if name == "handoff" else "serialization"
    return {"$schema": DIALECT, **_ADAPTERS[name]().json_schema(mode=mode)}
