"""A server on the published Python SDK (PyPI `mcp`, line 2.x) with all that the
official conformance suite asks a server for: `server.py PORT` serves
http://127.0.0.1:PORT/mcp, `server.py --stdio` its standard input. The SDK itself
tells the revisions apart. Only what the suite asks for is in here."""

import asyncio
import base64
import json
import sys
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer, RequestStateSecurity
from mcp.server.mcpserver.prompts.base import Prompt, UserMessage
from mcp.server.streamable_http import EventMessage, EventStore
from mcp.shared.exceptions import MCPError
from mcp import types
from pydantic import BaseModel, Field

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
# Far above what a run needs, so that a client that never says goodbye cannot fill the memory.
MOST_EVENTS = 10_000

server = MCPServer(
    name="party-python",
    version="1.0.0",
    log_level="WARNING",
    request_state_security=RequestStateSecurity(keys=[b"a key of a test, known to everyone"]),
)


def tool(function: Any) -> Any:
    """A tool by the name of its function; the suite wants a description of each."""
    return server.tool(description=function.__name__)(function)


def prompt(function: Any) -> Any:
    return server.prompt(description=function.__name__)(function)


class Events(EventStore):
    """What the streams have said, so that a client that lost one may go on where it was."""

    def __init__(self) -> None:
        self.events: list[tuple[str, types.JSONRPCMessage | None]] = []

    async def store_event(self, stream_id: str, message: types.JSONRPCMessage | None) -> str:
        if len(self.events) == MOST_EVENTS:
            raise RuntimeError("too many events in one run")
        self.events.append((stream_id, message))
        return str(len(self.events))

    async def replay_events_after(self, last_event_id: str, send_callback: Any) -> str | None:
        last = int(last_event_id) if last_event_id.isdecimal() else 0
        if not 0 < last <= len(self.events):
            return None
        stream = self.events[last - 1][0]
        for at, (of, message) in enumerate(self.events[last:], last + 1):
            if of == stream and message is not None:
                await send_callback(EventMessage(message, str(at)))
        return stream


def embedded(uri: str, mime_type: str, text: str) -> types.EmbeddedResource:
    resource = types.TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    return types.EmbeddedResource(type="resource", resource=resource)


def form(message: str, **properties: str) -> types.ElicitRequest:
    schema = {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def sampling(prompt: str) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))
    return types.CreateMessageRequest(params=types.CreateMessageRequestParams(messages=[message], max_tokens=100))


def need(state: str | None = None, **requests: Any) -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests=requests, request_state=state)


def answer(ctx: Context, name: str, member: str) -> Any:
    """What the client filled into a form, or None where it did not."""
    given = (ctx.input_responses or {}).get(name)
    return given.content.get(member) if isinstance(given, types.ElicitResult) and given.content else None


@tool
def test_simple_text() -> str:
    return "This is a simple text response for testing."


@tool
def test_image_content() -> list[types.ImageContent]:
    return [types.ImageContent(type="image", data=PNG, mime_type="image/png")]


@tool
def test_audio_content() -> list[types.AudioContent]:
    return [types.AudioContent(type="audio", data=WAV, mime_type="audio/wav")]


@tool
def test_embedded_resource() -> list[types.EmbeddedResource]:
    return [embedded("test://embedded-resource", "text/plain", "embedded")]


@tool
def test_multiple_content_types() -> list[types.TextContent | types.ImageContent | types.EmbeddedResource]:
    return [
        types.TextContent(type="text", text="several kinds"),
        types.ImageContent(type="image", data=PNG, mime_type="image/png"),
        embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ]


@tool
def test_error_handling() -> str:
    raise RuntimeError("This tool intentionally returns an error for testing")


@tool
async def test_tool_with_logging(ctx: Context) -> str:
    for data in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(data)
        await asyncio.sleep(0.05)
    return "logged"


@tool
async def test_logging_tool(ctx: Context) -> str:
    await ctx.info("only where it was asked for")
    return "logged"


@tool
async def test_tool_with_progress(ctx: Context) -> str:
    for progress in (0, 50, 100):
        await ctx.report_progress(progress=progress, total=100, message=f"{progress} of 100")
        await asyncio.sleep(0.05)
    return "done"


@tool
async def test_reconnection(ctx: Context) -> str:
    await ctx.close_sse_stream()
    await asyncio.sleep(0.2)
    return "reconnected"


@tool
async def test_sampling(prompt: str, ctx: Context) -> str:
    # Without the id of the request it goes to the stream of a GET, which need not be there yet.
    message = types.SamplingMessage(role="user", content=types.TextContent(type="text", text=prompt))
    result = await ctx.session.create_message(messages=[message], max_tokens=100, related_request_id=ctx.request_id)
    return f"the client said {result.content.text}"


class Response(BaseModel):
    response: str


class Defaults(BaseModel):
    name: str = Field(default="John Doe")
    age: int = Field(default=30)
    score: float = Field(default=95.5)
    status: str = Field(default="active", json_schema_extra={"enum": ["active", "inactive", "pending"]})
    verified: bool = Field(default=True)


TITLED = [{"const": "a", "title": "First"}, {"const": "b", "title": "Second"}]


class Enums(BaseModel):
    untitledSingle: str = Field(json_schema_extra={"enum": ["a", "b", "c"]})
    titledSingle: str = Field(json_schema_extra={"oneOf": TITLED})
    legacyEnum: str = Field(json_schema_extra={"enum": ["a", "b"], "enumNames": ["First", "Second"]})
    untitledMulti: list[str] = Field(json_schema_extra={"items": {"type": "string", "enum": ["a", "b", "c"]}})
    titledMulti: list[str] = Field(json_schema_extra={"items": {"anyOf": TITLED}})


async def asked(ctx: Context, message: str, schema: type[BaseModel]) -> str:
    result = await ctx.elicit(message=message, schema=schema)
    return f"the client said {result.action} {result.data if result.action == 'accept' else ''}"


@tool
async def test_elicitation(message: str, ctx: Context) -> str:
    return await asked(ctx, message, Response)


@tool
async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
    return await asked(ctx, "defaults", Defaults)


@tool
async def test_elicitation_sep1330_enums(ctx: Context) -> str:
    return await asked(ctx, "enums", Enums)


@tool
def test_x_mcp_header(region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})] = "") -> str:
    return f"region={region}"


@tool
async def test_missing_capability(ctx: Context) -> str:
    capabilities = ctx.session.client_capabilities
    if capabilities is None or capabilities.sampling is None:
        raise MCPError(
            code=types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            message="sampling is needed",
            data={"requiredCapabilities": {"sampling": {}}},
        )
    return "declared"


@tool
async def test_streaming_elicitation() -> str:
    return "results only"


@tool
async def test_input_required_result_elicitation(ctx: Context) -> str | types.InputRequiredResult:
    name = answer(ctx, "user_name", "name")
    return f"Hello, {name}!" if name else need(user_name=form("Your name?", name="string"))


@tool
async def test_input_required_result_sampling(ctx: Context) -> str | types.InputRequiredResult:
    given = (ctx.input_responses or {}).get("capital_question")
    if isinstance(given, types.CreateMessageResult):
        return f"the model said {given.content}"
    return need(capital_question=sampling("What is the capital of France?"))


@tool
async def test_input_required_result_list_roots(ctx: Context) -> str | types.InputRequiredResult:
    given = (ctx.input_responses or {}).get("client_roots")
    if isinstance(given, types.ListRootsResult):
        return f"{len(given.roots)} roots"
    return need(client_roots=types.ListRootsRequest())


async def confirmed(ctx: Context) -> str | types.InputRequiredResult:
    if ctx.request_state == "asked" and answer(ctx, "confirm", "ok") is not None:
        return "state-ok"
    return need("asked", confirm=form("Please confirm", ok="boolean"))


@tool
async def test_input_required_result_request_state(ctx: Context) -> str | types.InputRequiredResult:
    return await confirmed(ctx)


@tool
async def test_input_required_result_tampered_state(ctx: Context) -> str | types.InputRequiredResult:
    return await confirmed(ctx)


@tool
async def test_input_required_result_multiple_inputs(ctx: Context) -> str | types.InputRequiredResult:
    if {"user_name", "greeting", "client_roots"} <= (ctx.input_responses or {}).keys():
        return "all three"
    return need(
        "asked",
        user_name=form("Your name?", name="string"),
        greeting=sampling("a greeting"),
        client_roots=types.ListRootsRequest(),
    )


@tool
async def test_input_required_result_multi_round(ctx: Context) -> str | types.InputRequiredResult:
    state = json.loads(ctx.request_state) if ctx.request_state else {"round": 0}
    name = answer(ctx, "step1", "name")
    if state["round"] == 1 and name:
        return need(json.dumps({"round": 2, "name": name}), step2=form("Step 2: your colour?", color="string"))
    color = answer(ctx, "step2", "color")
    if state["round"] == 2 and color:
        return f"{state['name']} likes {color}"
    return need(json.dumps({"round": 1}), step1=form("Step 1: your name?", name="string"))


@tool
async def test_input_required_result_capabilities(ctx: Context) -> str | types.InputRequiredResult:
    declared = ctx.client_capabilities or types.ClientCapabilities()
    requests: dict[str, Any] = {}
    if declared.elicitation is not None:
        requests["user_name"] = form("Your name?", name="string")
    if declared.sampling is not None:
        requests["greeting"] = sampling("a greeting")
    if declared.roots is not None:
        requests["client_roots"] = types.ListRootsRequest()
    if ctx.input_responses or not requests:
        return "done"
    return need(**requests)


@tool
def json_schema_2020_12_tool() -> str:
    return "called"


# The SDK derives a tool's schema from its function and has no other way to give one.
server._tool_manager._tools["json_schema_2020_12_tool"].parameters = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "address",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def passing() -> str:
    return "here for a moment"


@tool
async def test_trigger_tool_change(ctx: Context) -> str:
    server.add_tool(passing, name="test_passing_tool")
    server.remove_tool("test_passing_tool")
    await ctx.notify_tools_changed()
    return "told"


@tool
async def test_trigger_prompt_change(ctx: Context) -> str:
    server.add_prompt(Prompt.from_function(passing, name="test_passing_prompt", description="here for a moment"))
    server.remove_prompt("test_passing_prompt")
    await ctx.notify_prompts_changed()
    return "told"


@server.resource("test://static-text", mime_type="text/plain")
def static_text() -> str:
    return "the static text"


@server.resource("test://static-binary", mime_type="image/png")
def static_binary() -> bytes:
    return base64.b64decode(PNG)


@server.resource("test://watched-resource", mime_type="text/plain")
def watched() -> str:
    return "the watched text"


@server.resource("test://template/{id}/data", mime_type="application/json")
def template(id: str) -> str:
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def says(content: Any) -> list[UserMessage]:
    return [UserMessage(role="user", content=content)]


@prompt
def test_simple_prompt() -> list[UserMessage]:
    return says(types.TextContent(type="text", text="a simple prompt"))


@prompt
def test_prompt_with_arguments(arg1: str, arg2: str) -> list[UserMessage]:
    return says(types.TextContent(type="text", text=f"arg1='{arg1}', arg2='{arg2}'"))


@prompt
def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:
    return says(embedded(resourceUri, "text/plain", "embedded"))


@prompt
def test_prompt_with_image() -> list[UserMessage]:
    return says(types.ImageContent(type="image", data=PNG, mime_type="image/png"))


@prompt
async def test_input_required_result_prompt(ctx: Context) -> list[UserMessage] | types.InputRequiredResult:
    context = answer(ctx, "user_context", "context")
    if context:
        return says(types.TextContent(type="text", text=f"with {context}"))
    return need(user_context=form("Which context?", context="string"))


@server.completion()
async def complete(ref: Any, argument: types.CompletionArgument, context: Any) -> types.Completion:
    return types.Completion(values=[f"{argument.value}is"], total=1, has_more=False)


async def nothing(ctx: Any, params: Any) -> types.EmptyResult:
    return types.EmptyResult()


# What only the sessions have; the SDK has no decorators for it.
for method, params in (
    ("logging/setLevel", types.SetLevelRequestParams),
    ("resources/subscribe", types.SubscribeRequestParams),
    ("resources/unsubscribe", types.UnsubscribeRequestParams),
):
    server._lowlevel_server.add_request_handler(method, params, nothing)


if __name__ == "__main__":
    if sys.argv[1] == "--stdio":
        server.run(transport="stdio")
    else:
        server.run(transport="streamable-http", port=int(sys.argv[1]), event_store=Events(), retry_interval=100)
