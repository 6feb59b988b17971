"""A server of tools for agents (MCP, over standard input and output) with one tool, `note`, which repeats its text."""

import json
import sys

TOOL = {
    "name": "note",
    "description": "Repeats a text.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
}


def result(request):
    method, parameters = request["method"], request.get("params", {})
    if method == "initialize":
        information = {"name": "notes", "version": "1"}
        version = parameters["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": information}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": parameters["arguments"]["text"]}]}
    return {}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result(request)}), flush=True)


main()
