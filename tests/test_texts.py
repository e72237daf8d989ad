"""What a person reads of an item: all its words, and never the bytes of an image."""

from __future__ import annotations

import json
from typing import Any

import pytest

from handoffctl.item import Item
from handoffctl.wording.media import Media, size_of_base64
from handoffctl.wording.texts import label_of, media_parts, pieces, text_of

BASE64 = "QUJDabc123+/" * 300
PNG = {"type": "base64", "media_type": "image/png", "data": "QUJD" * 800}
DEEP: list[Any] = []
for _ in range(100):
    DEEP = [DEEP, "x"]


def message(*parts: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(parts)}


def output(value: Any) -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": "c", "output": value}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        pytest.param({"role": "user", "content": "hi"}, "hi", id="a string"),
        pytest.param({"role": "assistant", "content": None}, "", id="nothing"),
        pytest.param({"role": "assistant"}, "", id="no content at all"),
        pytest.param(
            message({"type": "input_text", "text": "a"}, {"type": "output_text", "text": "b"}),
            "a\nb",
            id="parts are lines",
        ),
        pytest.param(message("a", {"text": "b"}, 3), "a\nb\n3", id="parts of odd shapes"),
        pytest.param(message({"type": "refusal", "refusal": "no"}), "no", id="a refusal"),
        pytest.param(message({"type": "text", "text": ""}), "", id="an empty text"),
        pytest.param(message({"type": "thinking", "thinking": "hm", "signature": "s"}), "hm", id="thinking"),
        pytest.param(
            message({"type": "tool_use", "id": "t", "name": "look", "input": {"a": 1}}),
            'look\n{"a":1}',
            id="a tool use",
        ),
        pytest.param(
            message({"type": "tool_result", "tool_use_id": "t", "content": [{"type": "image", "source": PNG}]}),
            "[image image/png, 2,400 bytes]",
            id="an image in a tool result",
        ),
        pytest.param(
            message({"type": "input_image", "image_url": "https://example.org/a.png?key=1", "detail": "low"}),
            "[image https://example.org/a.png]",
            id="an image elsewhere, without its query",
        ),
        pytest.param(
            message({"type": "image_url", "image_url": {"url": "data:image/gif;base64,QUI="}}),
            "[image image/gif, 2 bytes]",
            id="chat's image",
        ),
        pytest.param(
            message({"type": "image_url", "image_url": {"url": "data:image/svg+xml,<svg/>"}}),
            "[image image/svg+xml, 6 bytes]",
            id="a data URL as text",
        ),
        pytest.param(
            message({"type": "input_file", "file_id": "f_1", "filename": "a.pdf"}),
            "[file a.pdf, f_1]",
            id="a file by its id",
        ),
        pytest.param(
            message({"type": "file", "file": {"file_data": "data:application/pdf;base64,QQ==", "filename": "a.pdf"}}),
            "[file application/pdf, a.pdf, 1 byte]",
            id="chat's file",
        ),
        pytest.param(
            message({"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}}),
            "[audio mp3, 3 bytes]",
            id="audio",
        ),
        pytest.param(
            message({"type": "image", "data": "QUJD", "mimeType": "image/webp"}),
            "[image image/webp, 3 bytes]",
            id="MCP's image",
        ),
        pytest.param(message({"type": "input_image"}), "[image]", id="an image of nothing"),
        pytest.param(
            message({"type": "input_file", "filename": "n" * 200}), f"[file {'n' * 79}…]", id="a long name is cut"
        ),
        pytest.param(
            {"type": "function_call", "name": "f", "call_id": "c", "arguments": '{"a": 1}'},
            '{"a": 1}',
            id="arguments as they are",
        ),
        pytest.param(
            {"type": "custom_tool_call", "name": "f", "call_id": "c", "input": "words"}, "words", id="an input"
        ),
        pytest.param(
            {"type": "code_interpreter_call", "id": "c", "code": "1+1", "outputs": [{"type": "logs", "logs": "2"}]},
            "1+1\n2",
            id="code",
        ),
        pytest.param(
            {"type": "file_search_call", "id": "c", "queries": ["a", "b"], "results": None}, "a\nb", id="queries"
        ),
        pytest.param(
            {"type": "web_search_call", "id": "c", "action": {"type": "search", "query": "x"}},
            '{"type":"search","query":"x"}',
            id="an action",
        ),
        pytest.param(output("plain"), "plain", id="an output"),
        pytest.param(output({"text": "a", "score": 1}), '{"text":"a","score":1}', id="an object that is no part"),
        pytest.param(output([1, 2]), "[1,2]", id="a list of numbers"),
        pytest.param(
            output([{"type": "input_text", "text": "a"}, {"type": "input_image", "file_id": "f"}]),
            "a\n[image f]",
            id="an output of parts",
        ),
        pytest.param(
            {
                "type": "computer_call_output",
                "call_id": "c",
                "output": {"type": "computer_screenshot", "image_url": "data:image/png;base64,QUJD"},
            },
            "[image image/png, 3 bytes]",
            id="a screenshot",
        ),
        pytest.param(
            {"type": "image_generation_call", "id": "ig", "revised_prompt": "a cat", "result": "QUJD"},
            "a cat\n[image 3 bytes]",
            id="a made image",
        ),
        pytest.param({"type": "image_generation_call", "id": "ig", "result": None}, "", id="an image not made yet"),
        pytest.param({"type": "program_output", "call_id": "p", "result": "42"}, "42", id="a program's result"),
        pytest.param(
            {
                "type": "reasoning",
                "id": "r",
                "summary": [{"type": "summary_text", "text": "why"}],
                "encrypted_content": "zzz",
            },
            "why",
            id="a summary",
        ),
        pytest.param(
            output("see data:image/png;base64," + "QUJD" * 30 + " end"),
            "see [image/png, 90 bytes] end",
            id="a data URL in a text",
        ),
        pytest.param(
            output('{"image": "' + BASE64 + '"}'), '{"image": "[base64, 2,700 bytes]"}', id="base64 in JSON text"
        ),
        pytest.param(output("data:text/plain;base64," + BASE64), "[text/plain, 2,700 bytes]", id="a long data URL"),
        pytest.param(output("a" * 300), "a" * 300, id="a long run of letters is no base64"),
    ],
)
def test_text_of_an_item(item: dict[str, Any], expected: str) -> None:
    assert text_of(Item.of(item)) == expected


def test_deep_nesting_is_shown_as_json() -> None:
    assert text_of(Item.of(message(*DEEP))).count("x") == 100


def test_nesting_beyond_what_can_be_written(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_deep(_: object) -> bytes:
        raise RecursionError

    monkeypatch.setattr("handoffctl.wording.texts.encode", too_deep)
    assert text_of(Item.of(output({"a": 1}))) == "[nested too deeply]"


@pytest.mark.parametrize(
    ("item", "label"),
    [
        ({"type": "function_call", "name": "look", "call_id": "c", "arguments": ""}, "look"),
        ({"type": "web_search_call", "id": "w"}, "web_search_call"),
        ({"type": "function_call_output", "call_id": "c", "output": ""}, "function_call_output"),
        ({"role": "user", "content": "", "name": "ines"}, "message"),
        ({"type": "message", "role": "user", "content": ""}, "message"),
        ({"id": "msg_1"}, "control"),
        ({"type": "novelty"}, "novelty"),
    ],
)
def test_label_of_an_item(item: dict[str, Any], label: str) -> None:
    assert label_of(Item.of(item)) == label


def test_media_of_an_item_and_its_texts_come_in_order() -> None:
    item = Item.of(
        message({"type": "text", "text": "look"}, {"type": "image", "source": PNG}, {"type": "text", "text": "?"})
    )
    image = Media("image", "image/png", 2_400)
    assert media_parts(item) == [image]
    assert list(pieces(item)) == ["look", image, "?"]


@pytest.mark.parametrize(
    ("encoded", "size"), [("", 0), ("QQ==", 1), ("QUI=", 2), ("QUJD", 3), ("QU\nJD\n", 3), ("QUI", 2)]
)
def test_size_of_base64(encoded: str, size: int) -> None:
    assert size_of_base64(encoded) == size


@pytest.mark.parametrize("odd", [[], {}, 1, None, True, 1e400])
def test_odd_part_types_and_numbers_are_shown_somehow(odd: Any) -> None:
    parsed = Item.parse(b'{"role": "user", "content": [{"type": "text", "text": "x"}]}')
    values = {**parsed.to_dict(), "content": [{"type": odd, "value": [odd]}]}
    raw = json.dumps(values).replace("Infinity", "1e400").encode()
    assert isinstance(text_of(Item.parse(raw)), str)
