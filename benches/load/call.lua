-- A modern tools/call of 460 bytes: wrk.lua's arguments are the tool's name and nothing else.
local tool = "small"

local function body()
    local start = '{"jsonrpc":"2.0","id":12345,"method":"tools/call","params":{"name":"' .. tool
        .. '","arguments":{"city":"Oslo","days":3,"note":"'
    local rest = '"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",'
        .. '"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},'
        .. '"io.modelcontextprotocol/clientInfo":{"name":"load","version":"1.0"}}}}'
    return start .. string.rep("x", 460 - #start - #rest) .. rest
end

function init(args)
    tool = args[1] or tool
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Accept"] = "application/json, text/event-stream"
    wrk.headers["MCP-Protocol-Version"] = "2026-07-28"
    wrk.headers["Mcp-Method"] = "tools/call"
    wrk.headers["Mcp-Name"] = tool
    wrk.body = body()
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("RESULT %d %d %.0f %.0f %.0f %d\n", summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(90), latency:percentile(99),
        errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
