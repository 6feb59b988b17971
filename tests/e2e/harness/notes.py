"""A server of tools for agents (MCP, over standard input and output) with one tool, `note`, which repeats its text.

    notes.py [yes | no FILE]

With arguments it has another one, `approve`, which an agent asks for permission: it notes the question in FILE.
"""

import json
import sys

NOTE = {
    "name": "note",
    "description": "Repeats a text.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
}
APPROVE = {"name": "approve", "description": "Gives permission.", "inputSchema": {"type": "object"}}
REFUSED = "NOT-SO"


def result(request):
    method, parameters = request["method"], request.get("params", {})
    if method == "initialize":
        information = {"name": "notes", "version": "1"}
        version = parameters["protocolVersion"]
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": information}
    if method == "tools/list":
        return {"tools": [NOTE, APPROVE] if sys.argv[1:] else [NOTE]}
    if method == "tools/call":
        called = approved if parameters["name"] == APPROVE["name"] else noted
        return {"content": [{"type": "text", "text": called(parameters["arguments"])}]}
    return {}


def noted(arguments):
    return arguments["text"]


def approved(arguments):
    reply, file = sys.argv[1:]
    with open(file, "a", encoding="utf-8") as questions:
        questions.write(json.dumps(arguments) + "\n")
    if reply == "yes":
        return json.dumps({"behavior": "allow", "updatedInput": arguments["input"]})
    return json.dumps({"behavior": "deny", "message": REFUSED})


def main():
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result(request)}), flush=True)


if __name__ == "__main__":
    main()
