"""A client on the published Python SDK of line 1.x, which knows sessions only:
`client_v1.py session URL`, or `client_v1.py session -- COMMAND...`."""

import sys
from typing import Any

import anyio
import mcp.types as types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from pydantic import AnyUrl

from walk import arguments, brief, example, filled, refused, step


async def elicit(ctx: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=filled(params.requestedSchema))


async def sample(ctx: Any, params: Any) -> types.CreateMessageResult:
    content = types.TextContent(type="text", text="Paris é ☃")
    return types.CreateMessageResult(role="assistant", model="none", content=content, stopReason="endTurn")


async def roots(ctx: Any) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root(uri=types.FileUrl("file:///tmp/x"), name="x")])


async def walk(session: ClientSession) -> None:
    async def begun() -> str:
        return str((await session.initialize()).protocolVersion)

    async def call(name: str, given: dict[str, Any]) -> str:
        heard = 0

        async def progress(*_: Any) -> None:
            nonlocal heard
            heard += 1

        result = await session.call_tool(name, given, progress_callback=progress)
        return f"{'error ' if result.isError else ''}{brief(result.content)}; progress {heard}"

    async def read(uri: str) -> str:
        return brief((await session.read_resource(AnyUrl(uri))).contents)

    async def got(prompt: Any) -> str:
        result = await session.get_prompt(prompt.name, arguments(prompt))
        return brief([message.content for message in result.messages])

    await step("connect", begun)
    await step("ping", session.send_ping)
    await step("logging/setLevel", lambda: session.set_logging_level("debug"))
    tools = await step("tools/list", session.list_tools)
    for tool in tools.tools if tools else []:
        await step(f"tools/call {tool.name}", lambda: call(tool.name, example(tool.inputSchema)))
    odd = {"a": [1, 1e30, None, {"b": "\u2029\0"}]}
    await step("tools/call of no tool", lambda: refused(lambda: session.call_tool("no_such_tool_é", odd)))
    await step("resources/templates/list", session.list_resource_templates)
    resources = await step("resources/list", session.list_resources)
    for uri in [*(one.uri for one in (resources.resources if resources else [])), "test://template/42/data"]:
        await step(f"resources/read {uri}", lambda: read(str(uri)))
    await step("resources/read of no resource", lambda: refused(lambda: session.read_resource(AnyUrl("test://nope/x"))))
    prompts = await step("prompts/list", session.list_prompts)
    for prompt in prompts.prompts if prompts else []:
        await step(f"prompts/get {prompt.name}", lambda: got(prompt))
    await step("prompts/get of no prompt", lambda: refused(lambda: session.get_prompt("nope", {})))
    by_name = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
    by_uri = types.ResourceTemplateReference(type="ref/resource", uri="test://template/{id}/data")
    given = {"name": "arg1", "value": "par"}
    await step("completion/complete of a prompt", lambda: session.complete(by_name, given, {"arg2": "z"}))
    await step("completion/complete of a template", lambda: session.complete(by_uri, {"name": "id", "value": "1"}))
    watched = AnyUrl("test://watched-resource")
    await step("resources/subscribe", lambda: session.subscribe_resource(watched))
    await step("resources/unsubscribe", lambda: session.unsubscribe_resource(watched))
    await step("roots changed", session.send_roots_list_changed)
    await step("progress", lambda: session.send_progress_notification("no token of anyone", 0.5, 1.0))
    # This line gives up a call without a word to the server, so the word is ours.
    params = types.CancelledNotificationParams(requestId=999_999, reason="enough é")
    word = types.CancelledNotification(method="notifications/cancelled", params=params)
    await step("cancellation", lambda: session.send_notification(types.ClientNotification(word)))
    await step("after the cancellation", lambda: call("test_simple_text", {}))


async def main(_era: str, target: str, *command: str) -> None:
    if target == "--":
        transport: Any = stdio_client(StdioServerParameters(command=command[0], args=list(command[1:])))
    else:
        transport = streamablehttp_client(target)
    host = {"elicitation_callback": elicit, "sampling_callback": sample, "list_roots_callback": roots}
    async with transport as (read, write, *_), ClientSession(read, write, **host) as session:
        await walk(session)


anyio.run(main, *sys.argv[1:])
