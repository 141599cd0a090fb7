"""What a client of the Python SDK prints in a session: each step `ok NAME: WHAT
CAME BACK` or `ERR NAME: WHY`, told so that it is the same in every run, and what
a host would ask its user, its model and its settings. For both lines of the SDK,
which name the same members differently."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import anyio

STEP_SECONDS = 12
ODD = 'vàlue ☃ \U0001f680 "q" \\ \u2028'
EXAMPLES: dict[Any, Any] = {"string": ODD, "number": 2.5, "integer": 3, "boolean": True, "array": [], "object": {}}


async def step(name: str, does: Callable[[], Awaitable[Any]]) -> Any:
    try:
        with anyio.fail_after(STEP_SECONDS):
            value = await does()
    except Exception as error:
        why = " ".join(str(error).split())[:300]
        print(f"ERR {name}: {code(error) or type(error).__name__} {why}", flush=True)
        return None
    said = value if isinstance(value, str) else json.dumps(told(value), ensure_ascii=False, sort_keys=True)
    print(f"ok {name}: {said}", flush=True)
    return value


def told(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if hasattr(value, "model_dump") else value


def code(error: BaseException) -> int | None:
    """The code of a JSON-RPC error; anything else has none."""
    found = getattr(getattr(error, "error", None), "code", None)
    return found if isinstance(found, int) else None


async def refused(does: Callable[[], Awaitable[Any]]) -> str:
    try:
        result = await does()
    except Exception as error:
        if code(error) is None:
            raise
        return f"refused with {code(error)}"
    result = told(result)
    if result.get("isError"):
        return f"told as a result: {brief(result['content'])}"
    raise AssertionError("was not refused")


def brief(blocks: list[Any]) -> str:
    """A line for a list of content blocks, or of the contents of a resource."""

    def one(block: dict[str, Any]) -> str:
        size = len(block.get("data") or block.get("blob") or "")
        return block.get("text") or block.get("resource", {}).get("uri") or f"{block.get('type')} of {size}"

    return " | ".join(one(told(block)) for block in blocks)


def example(schema: dict[str, Any]) -> dict[str, Any]:
    """Arguments for what is required, and for what goes into a header, too."""
    required = schema.get("required", [])
    return {
        name: EXAMPLES.get(field.get("type"), "x")
        for name, field in schema.get("properties", {}).items()
        if name in required or "x-mcp-header" in field
    }


def arguments(prompt: Any) -> dict[str, str]:
    return {one.name: "test://static-text" if "uri" in one.name.lower() else ODD for one in prompt.arguments or []}


def filled(schema: dict[str, Any]) -> dict[str, Any]:
    """A form filled with its defaults, its first choices, or something of the right type."""
    content: dict[str, Any] = {}
    for name, field in schema.get("properties", {}).items():
        items = field.get("items", {})
        titled = field.get("oneOf") or field.get("anyOf") or items.get("anyOf") or []
        choices = field.get("enum") or items.get("enum") or [one.get("const") for one in titled]
        plain = {"string": "x", "integer": 1, "number": 1.5, "boolean": True}.get(field.get("type"), "x")
        one = field.get("default", choices[0] if choices else plain)
        content[name] = [one] if field.get("type") == "array" else one
    return content
