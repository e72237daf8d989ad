"""Random conversations as plain values: every type and class, odd contents, shared ids, nested summaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from hypothesis import strategies as st

from handoffctl.kinds import ITEM_TYPES, RUN_ITEM_CLASSES
from handoffctl.summary import END, LEGACY_PREAMBLE, PREAMBLE, START

IDS = ["a", "b", "c", "__fake_id__", None, 7]
TEXTS = [
    *(
        "",
        "hello",
        " padded ",
        "two\nlines",
        "cr\rhere",
        "a\u2028b",
        "nel\x85 ff\x0c vt\x0b fs\x1c",
        "1. user: numbered",
    ),
    *(
        '{"json": 1}',
        "user: x",
        "\ud800 lone",
        "名前 🎉 مرحبا",
        PREAMBLE,
        f"{PREAMBLE}\n{START}\n1. user: x\n{END} more",
    ),
]
RECORDS = [
    *("1. user: hello", "2. assistant (Bob): reply", "3. user (): odd", "(Ann): no role", "4. : nothing", "5. user"),
    *(
        "assistant (Bob)",
        "developer ()",
        "(Bob)",
        "prose without a colon",
        "note to self: two",
        "",
        "  \t ",
        "6.",
        "7. 8. x: y",
    ),
    *(
        "²9. user: superscript",
        " 10 . user: spaced",
        "more\x85lines",
        "a\u2028b: c",
        "11. user: a\u2028b",
        "12. [1, 2]",
        '"text"',
    ),
    *(
        '13. {"type": "function_call", "call_id": "a", "n": 1e22}',
        '{"role": "user", "content": "x", "provider_data": {}}',
    ),
    *('14. function_call: {"call_id": "b", "created_by": "me", "type": "x"}', 'user: {"json": true}', "15. {broken: 1"),
    *(
        'x: {"a": 1} more',
        "16. reasoning: []",
        "(no previous turns recorded)",
        "17. system: a: b",
        "  18. user: indented  ",
    ),
]
PARTS = [
    [],
    [{"type": "output_text", "text": "said", "annotations": [], "logprobs": []}],
    [
        {"type": "input_text", "text": "a\u2028b"},
        {"type": "input_image", "image_url": "data:image/png;base64,AA", "detail": "low"},
    ],
]
EXTRAS: list[dict[str, Any]] = [
    *({}, {}, {}, {}, {"status": None}, {"status": "completed"}, {"status": "in_progress"}, {"created_by": "me"}),
    *({"caller": {"type": "program", "caller_id": id_}} for id_ in ("a", "b", 7)),
    *({"caller": {"type": "direct"}}, {"caller": "program"}, {"approval_request_id": "a"}, {"provider_data": {"x": 1}}),
    *({"_agents_tool_description": "d", "_agents_tool_title": "t"}, {"name": "Ann"}, {"name": ""}, {"role": None}),
    *({"big": 123456789012345678901234567890, "float": 1e22, "small": -0.0}, {"type": None}, {"type": 5}, {"role": 5}),
]
OUTPUTS: list[Any] = ["found", "", None, [], [{"stdout": "x", "created_by": "me", "outcome": {"type": "exit"}}, 3]]
ROLES = ["user", "assistant", "assistant", "system", "developer", "tool", ""]
PLAIN_TYPES = ["function_call", "function_call_output", "reasoning"]
PROGRAM_TYPES = [
    "program",
    "program",
    "program_output",
    "shell_call",
    "shell_call_output",
    "function_call",
    "mcp_call",
    "reasoning",
]
CALLERS = [
    {},
    {},
    *({"caller": {"type": "program", "caller_id": id_}} for id_ in ("a", "b")),
    {"status": "in_progress"},
]
TOOL_TYPES = sorted({*ITEM_TYPES, "no_such_type", ""} - {"message"})


class Wrapped(NamedTuple):
    """A run item as it is drawn: its class, its raw item, and whether the SDK gets the raw item as its own model."""

    type: str
    raw: dict[str, Any]
    as_model: bool


def summary_of(preamble: str, records: Sequence[str], separator: str, end: str) -> str:
    return f"{preamble}\n{START}\n{separator.join(records)}\n{end}"


def item_of(type_: str, id_: Any, call_id: Any, output: Any, extra: dict[str, Any]) -> dict[str, Any]:
    ids = {key: value for key, value in (("id", id_), ("call_id", call_id)) if value is not None}
    more = {"output": output} if "output" in type_ else {"name": "look_up", "arguments": "{}", "summary": []}
    return {"type": type_, **ids, **more, **extra}


def message_of(role: str, content: Any, id_: Any, typed: bool, extra: dict[str, Any]) -> dict[str, Any]:
    named = {"id": id_, "status": "completed", "type": "message"} if typed else {}
    return {**named, "role": role, "content": content, **extra}


extras = st.sampled_from(EXTRAS)
ids = st.sampled_from(IDS)
summaries = st.builds(
    summary_of,
    st.sampled_from([PREAMBLE, PREAMBLE, LEGACY_PREAMBLE, "For context:"]),
    st.lists(st.sampled_from(RECORDS), max_size=6),
    st.sampled_from(["\n", "\n", "\r\n", "\u2028"]),
    st.sampled_from([END, END, END, "</END>"]),
)
contents = st.one_of(st.sampled_from([*TEXTS, *PARTS, None, 5]), summaries, st.text(max_size=5))
messages = st.builds(message_of, st.sampled_from(ROLES), contents, ids, st.booleans(), extras)
tool_items = st.builds(item_of, st.sampled_from(TOOL_TYPES), ids, ids, st.sampled_from(OUTPUTS), extras)
plain_pairs = st.builds(item_of, st.sampled_from(PLAIN_TYPES), ids, ids, st.just("x"), extras)
of_programs = st.builds(
    item_of, st.sampled_from(PROGRAM_TYPES), ids, st.sampled_from(["a", "b"]), st.just("x"), st.sampled_from(CALLERS)
)
nameless = st.builds(
    item_of, st.sampled_from(["tool_search_call", "tool_search_output"]), ids, st.none(), st.just("x"), extras
)
nested = st.builds(message_of, st.just("assistant"), summaries, ids, st.booleans(), st.just({}))
any_item = st.one_of(messages, tool_items, plain_pairs, of_programs, nameless, nested)
items = st.lists(any_item, max_size=7)
histories = st.one_of(st.sampled_from(TEXTS), items, items, items)
any_wrapped = st.builds(Wrapped, st.sampled_from(sorted(RUN_ITEM_CLASSES)), any_item, st.booleans())
runs = st.lists(any_wrapped, max_size=6)
