#!/usr/bin/env python3
"""Validates the committed JSON Schemas, and samples against them, with a validator that is not Rust.

usage: validate.py [--venv DIR]

The schemas must be valid JSON Schema 2020-12. Every example inside them, every JSON example in the documents, every
fixture and every good sample of samples.json must be valid, and every bad sample must not be.

The validator is installed into a virtual environment (target/schema-venv unless --venv says otherwise). Exit status: 0
when all is well, 1 when something is not, 77 when the validator could not be installed.
"""

import json
import os
import pathlib
import subprocess
import sys
import venv

PACKAGE = "jsonschema==4.26.0"
CANNOT_BEGIN = 77
ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = ("hook-request.v1", "hook-response.v1", "hooks-file.v1", "hook-test.v1", "hook-record.v1")


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--in-venv"]:
        return validate()
    directory = ROOT / "target" / "schema-venv"
    if arguments[:1] == ["--venv"] and len(arguments) == 2:
        directory = pathlib.Path(arguments[1])
    elif arguments:
        print(__doc__, file=sys.stderr)
        return 2
    python = prepared(directory)
    if python is None:
        return CANNOT_BEGIN
    return subprocess.run([python, __file__, "--in-venv"], check=False).returncode


def prepared(directory):
    """The interpreter of a virtual environment that has the validator; None when there can be none."""
    python = directory / "bin" / "python"
    marker = directory / "installed"
    if python.exists() and marker.exists() and marker.read_text() == PACKAGE:
        return python
    quiet = ["--quiet", "--disable-pip-version-check"]
    try:
        venv.create(directory, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", *quiet, PACKAGE], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"{PACKAGE} could not be installed: {error}", file=sys.stderr)
        return None
    marker.write_text(PACKAGE)
    return python


def validate():
    # Only the interpreter of the virtual environment has it.
    import jsonschema

    validators = {}
    for name in SCHEMAS:
        schema = read(ROOT / "schemas" / f"{name}.schema.json")
        jsonschema.Draft202012Validator.check_schema(schema)
        if schema.get("$id") != f"urn:hookchain:{name}":
            raise SystemExit(f"schemas/{name}.schema.json: its $id must carry its name and version")
        validators[name] = jsonschema.Draft202012Validator(schema)

    problems, counted = [], 0
    for where, name, value, good in samples(validators):
        counted += 1
        error = jsonschema.exceptions.best_match(validators[name].iter_errors(value))
        if good and error is not None:
            problems.append(f"{where}: {error.message}, but it is a valid {name}")
        if not good and error is None:
            problems.append(f"{where}: it passes as {name}, but it is none")
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(SCHEMAS)} schemas and {counted} samples, {len(problems)} problems")
    return 1 if problems else 0


def samples(validators):
    """(where, name of the schema, value, whether it must be valid)"""
    for name, validator in validators.items():
        for index, example in enumerate(validator.schema["examples"]):
            yield f"schemas/{name}.schema.json, example {index}", name, example, True
    yield from table(validators)
    for document in sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]):
        for line, text in fenced_json(document.read_text()):
            yield from classified(f"{document.relative_to(ROOT)}:{line}", text)
    for case in sorted(ROOT.glob("tests/fixtures/v1/*/*/")):
        where = case.relative_to(ROOT)
        yield f"{where}/request.json", "hook-request.v1", read(case / "request.json"), True
        # What the host says of something that is not an answer at all.
        good = "gave no answer" not in read(case / "outcome.json").get("reason", "")
        yield f"{where}/response.json", "hook-response.v1", read(case / "response.json"), good
    for path in sorted(ROOT.glob("examples/**/.basis/hooks.json")):
        yield str(path.relative_to(ROOT)), "hooks-file.v1", read(path), True
    for path in sorted(ROOT.glob("examples/**/.basis/tests/*.hooktest.json")):
        yield str(path.relative_to(ROOT)), "hook-test.v1", read(path), True


def read(path):
    return json.loads(path.read_text())


def table(validators):
    file = pathlib.Path(__file__).with_name("samples.json")
    listed = read(file)
    if set(listed) != set(validators):
        raise SystemExit(f"{file.name}: it must have samples for {', '.join(validators)}")
    for name, kinds in listed.items():
        for good in (True, False):
            kind = "good" if good else "bad"
            for what, value in kinds[kind].items():
                yield f"{file.name}, {name}, {kind}, {what}", name, value, good


def fenced_json(text):
    """Every block fenced as ```json, with the line it begins at."""
    block, begin = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if block is None and line.strip() == "```json":
            block, begin = [], number + 1
        elif block is not None and line.strip() == "```":
            yield begin, "\n".join(block)
            block = None
        elif block is not None:
            block.append(line)


def classified(where, text):
    """The value of a block, or one for each of its lines, with the schema it must meet."""
    try:
        values = [json.loads(text)]
    except ValueError:
        values = [json.loads(line) for line in text.splitlines() if line.strip()]
    for value in values:
        if "hook_schema" in value:
            yield where, "hook-request.v1", value, True
        elif "decision" in value:
            yield where, "hook-response.v1", value, True
        elif "schema" in value and "hooks" in value:
            yield where, "hooks-file.v1", value, True
        elif "schema" in value and "cases" in value:
            yield where, "hook-test.v1", value, True


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
