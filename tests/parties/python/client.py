"""A client on the published Python SDK (PyPI `mcp`, line 2.x): `client.py ERA URL`,
or `client.py ERA -- COMMAND...` for a server on stdio; ERA is `modern` or `session`."""

import sys
from typing import Any

import anyio
from mcp import StdioServerParameters, types
from mcp.client import Client

from walk import arguments, brief, example, filled, refused, step


async def elicit(ctx: Any, params: Any) -> types.ElicitResult:
    return types.ElicitResult(action="accept", content=filled(params.requested_schema))


async def sample(ctx: Any, params: Any) -> types.CreateMessageResult:
    content = types.TextContent(type="text", text="Paris é ☃")
    return types.CreateMessageResult(role="assistant", model="none", content=content, stop_reason="endTurn")


async def roots(ctx: Any) -> types.ListRootsResult:
    return types.ListRootsResult(roots=[types.Root(uri="file:///tmp/x", name="x")])


async def log(params: Any) -> None:
    pass


async def walk(client: Client, session: bool) -> None:
    async def version() -> str:
        return str(client.protocol_version)

    async def call(name: str, given: dict[str, Any]) -> str:
        heard = 0

        async def progress(*_: Any) -> None:
            nonlocal heard
            heard += 1

        result = await client.call_tool(name, given, progress_callback=progress)
        return f"{'error ' if result.is_error else ''}{brief(result.content)}; progress {heard}"

    await step("connect", version)
    if session:
        await step("ping", client.send_ping)
        await step("logging/setLevel", lambda: client.set_logging_level("debug"))
    tools = await step("tools/list", client.list_tools)
    for tool in tools.tools if tools else []:
        await step(f"tools/call {tool.name}", lambda: call(tool.name, example(tool.input_schema)))
    odd = {"a": [1, 1e30, None, {"b": "\u2029\0"}]}
    await step("tools/call of no tool", lambda: refused(lambda: client.call_tool("no_such_tool_é", odd)))
    await step("resources/templates/list", client.list_resource_templates)
    resources = await step("resources/list", client.list_resources)
    for uri in [*(one.uri for one in (resources.resources if resources else [])), "test://template/42/data"]:
        await step(f"resources/read {uri}", lambda: read(client, str(uri)))
    await step("resources/read of no resource", lambda: refused(lambda: client.read_resource("test://nope/%C3%A9")))
    prompts = await step("prompts/list", client.list_prompts)
    for prompt in prompts.prompts if prompts else []:
        await step(f"prompts/get {prompt.name}", lambda: got(client, prompt))
    await step("prompts/get of no prompt", lambda: refused(lambda: client.get_prompt("nope", {})))
    by_name = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
    by_uri = types.ResourceTemplateReference(type="ref/resource", uri="test://template/{id}/data")
    given = {"name": "arg1", "value": "par"}
    await step("completion/complete of a prompt", lambda: client.complete(by_name, given, {"arg2": "z"}))
    await step("completion/complete of a template", lambda: client.complete(by_uri, {"name": "id", "value": "1"}))
    if session:
        await step("resources/subscribe", lambda: client.subscribe_resource("test://watched-resource"))
        await step("resources/unsubscribe", lambda: client.unsubscribe_resource("test://watched-resource"))
        await step("roots changed", client.send_roots_list_changed)
        await step("progress", lambda: client.send_progress_notification("no token of anyone", 0.5, 1.0, "half"))
    else:
        await step("subscriptions/listen", lambda: listened(client))
    await step("cancellation", lambda: cancelled(client))
    await step("after the cancellation", lambda: call("test_simple_text", {}))


async def read(client: Client, uri: str) -> str:
    return brief((await client.read_resource(uri)).contents)


async def got(client: Client, prompt: Any) -> str:
    result = await client.get_prompt(prompt.name, arguments(prompt))
    return brief([message.content for message in result.messages])


async def listened(client: Client) -> str:
    watched = ["test://watched-resource"]
    async with client.listen(tools_list_changed=True, prompts_list_changed=True, resource_subscriptions=watched) as stream:
        await client.call_tool("test_trigger_tool_change", {})
        first = await anext(stream)
        await client.call_tool("test_trigger_prompt_change", {})
        second = await anext(stream)
    return f"heard of {type(first).__name__} and {type(second).__name__}"


async def cancelled(client: Client) -> str:
    with anyio.CancelScope() as scope:

        async def enough(*_: Any) -> None:
            scope.cancel()

        await client.call_tool("test_tool_with_progress", {}, progress_callback=enough)
    if not scope.cancelled_caught:
        raise AssertionError("the call came to its end")
    return "gave up after the first progress"


async def main(era: str, target: str, *command: str) -> None:
    session = era == "session"
    server = StdioServerParameters(command=command[0], args=list(command[1:])) if target == "--" else target
    told: dict[str, Any] = {} if session else {"log_level": "debug"}
    async with Client(
        server,
        mode="legacy" if session else "auto",
        elicitation_callback=elicit,
        sampling_callback=sample,
        list_roots_callback=roots,
        logging_callback=log,
        **told,
    ) as client:
        await walk(client, session)


anyio.run(main, *sys.argv[1:])
