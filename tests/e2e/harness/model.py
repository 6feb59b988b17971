"""A model server on loopback that says what a script tells it to, in the streaming words of two services.

A script is a list of turns, and a turn is one call of a tool. How far a conversation has come is read from the question
itself, so that one that is asked again gets the same answer. After the last turn the model says `done`.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FINAL_TEXT = "done"
A_TASK = "a task for another"


class Model:
    """The server. `questions` are the bodies of what the agent asked in its conversation, in order.

    `beneath` is the script of a subagent whose task holds `A_TASK`, and `questions_beneath` what was asked for it. An agent that
    lets a model approve calls reads `review`, and `reviews` are its questions. `finished` is set after the last turn.
    """

    def __init__(self, turns, beneath=(), review="deny"):
        self.turns = turns
        self.questions = []
        self.beneath = beneath
        self.questions_beneath = []
        self.review = review
        self.reviews = []
        self.strays = []
        self.finished = threading.Event()
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_words):
                pass

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                model.answer(self, body)

            def handle(self):
                try:
                    super().handle()
                except (BrokenPipeError, ConnectionResetError):
                    # The agent was ended meanwhile, which its own exit status tells.
                    self.close_connection = True

            def do_GET(self):
                model.stray(self)

            do_HEAD = do_GET

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_error):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def answer(self, handler, body):
        path = handler.path.partition("?")[0]
        question = json.loads(body) if body else {}
        if path == "/v1/messages":
            events = messages(question, self.turn(question, count_of_messages))
        elif path == "/v1/responses":
            aside = self.aside(question)
            call = None if aside else self.turn(question, count_of_items)
            events = responses(question, call, aside or FINAL_TEXT)
        elif path == "/v1/messages/count_tokens":
            return reply(handler, 200, "application/json", b'{"input_tokens":10}')
        else:
            return self.stray(handler)
        text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
        return reply(handler, 200, "text/event-stream", text.encode())

    def turn(self, question, count):
        """The call that is due, or nothing. A question without tools is about the conversation, and no part of it."""
        if not has_tools(question):
            return None
        below = is_beneath(question)
        turns = self.beneath if below else self.turns
        (self.questions_beneath if below else self.questions).append(question)
        said = count(question)
        if said < len(turns):
            return turns[said]
        if below or not self.beneath:
            self.finished.set()
        return None

    def aside(self, question):
        """What is said to a question that wants its answer in a certain shape; it is no part of the conversation."""
        shape = question.get("text", {}).get("format", {}).get("schema", {}).get("properties", {})
        if "outcome" in shape:
            self.reviews.append(question)
            return json.dumps({"outcome": self.review})
        return json.dumps(dict.fromkeys(shape, "words")) if shape else None

    def stray(self, handler):
        self.strays.append(f"{handler.command} {handler.path}")
        reply(handler, 404, "application/json", b'{"error":{"type":"not_found_error","message":"not here"}}')


def reply(handler, status, kind, body):
    handler.send_response(status)
    handler.send_header("Content-Type", kind)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


def has_tools(question):
    """Also where they are told within the conversation."""
    return question.get("tools") or any(item.get("type") == "additional_tools" for item in question.get("input", []))


def is_beneath(question):
    """Whether it is asked for a subagent: its conversation begins with the task."""
    return A_TASK in json.dumps(question.get("messages", [""])[0])


def count_of_messages(question):
    contents = [message["content"] for message in question["messages"] if message["role"] == "assistant"]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return sum(block["type"] == "tool_use" for block in blocks)


CALLS = ("function_call", "custom_tool_call")


def count_of_items(question):
    return sum(item.get("type") in CALLS for item in question["input"])


def messages(question, call):
    """An answer of the Anthropic Messages service."""
    number = count_of_messages(question) + 1
    if call is None:
        start = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": FINAL_TEXT}
        reason = "end_turn"
    else:
        tool, arguments = call
        start = {"type": "tool_use", "id": f"toolu_{number:02}", "name": tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        reason = "tool_use"
    usage = {"input_tokens": 10, "output_tokens": 10}
    # The agent takes answers with one name for one answer.
    message = {"id": f"msg_{number:02}", "type": "message", "role": "assistant", "content": []}
    message["model"] = question.get("model")
    yield {"type": "message_start", "message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    yield {"type": "content_block_start", "index": 0, "content_block": start}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}
    yield {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage}
    yield {"type": "message_stop"}


def responses(question, call, text):
    """An answer of the OpenAI Responses service."""
    number = count_of_items(question) + 1
    if call is None:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}
    else:
        tool, arguments = call
        item = {"call_id": f"call_{number}", "name": tool}
        if isinstance(arguments, str):
            item.update(type="custom_tool_call", input=arguments)
        else:
            item.update(type="function_call", arguments=json.dumps(arguments))
            namespace, _, name = tool.rpartition("__")
            if namespace:
                item.update(name=name, namespace=namespace)
    usage = {"input_tokens": 10, "output_tokens": 10, "total_tokens": 20}
    response = {"id": f"resp_{number}", "object": "response", "output": [item], "usage": usage}
    yield {"type": "response.created", "response": {"id": response["id"]}}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}
    yield {"type": "response.completed", "response": response}
