// A client of `hookchain consult --each-line`, and what it goes through.
//
// usage: client.mjs PROGRAM WORKSPACE SCENARIO
//
// Each scenario ends with status 0 when every answer was the one of its own call.

import assert from 'node:assert';
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

class Client {
  #open = new Map();
  #last = 0;

  static async start(program, workspace) {
    const client = new Client();
    client.workspace = workspace;
    const args = ['consult', '--each-line', '--hello', '--workspace', workspace];
    client.process = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    client.ended = once(client.process, 'exit');
    const lines = createInterface({ input: client.process.stdout });
    const [hello] = await once(lines, 'line');
    client.hello = JSON.parse(hello);
    assert.equal(client.hello.wire, 2);
    assert.equal(client.hello.pid, client.process.pid);
    assert.equal(client.hello.parent, process.pid);
    lines.on('line', (line) => {
      const answer = JSON.parse(line);
      const resolve = client.#open.get(answer.id);
      client.#open.delete(answer.id);
      resolve(answer);
    });
    return client;
  }

  ask(command, id = (this.#last += 1)) {
    const call = { id, tool_call_id: `call-${command}`, tool_name: 'shell', input: { command } };
    return new Promise((resolve) => {
      this.#open.set(id, resolve);
      this.write(call);
    });
  }

  write(line) {
    this.process.stdin.write(`${JSON.stringify(line)}\n`);
  }

  async close() {
    this.process.stdin.end();
    const [status] = await this.ended;
    assert.equal(status, 0);
  }
}

function check(command, answer) {
  assert.equal(answer.tool_call_id, `call-${command}`);
  const wanted = command.startsWith('deny') ? 'deny' : 'allow';
  assert.equal(answer.outcome, wanted);
  if (wanted === 'deny') assert.ok(answer.reason.endsWith(`: ${command}`), answer.reason);
}

async function many(client, prefix = '') {
  const ask = async (n) => {
    const command = `${n % 3 ? 'deny' : 'allow'}-${prefix}${n}`;
    check(command, await client.ask(command));
  };
  await Promise.all(Array.from({ length: 64 }, (_, n) => ask(n)));
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const scenarios = {
  async at_once(client) {
    for (let round = 0; round < 3; round += 1) await many(client);
  },

  async cancelled(client) {
    execFileSync('mkfifo', [`${client.workspace}/started`]);
    for (const id of ['text', 7]) {
      const held = client.ask('hold', id);
      const hook = Number(await readFile(`${client.workspace}/started`, 'utf8'));
      assert.ok(isAlive(hook));
      client.write({ cancel: id });
      const answer = await held;
      assert.equal(answer.outcome, 'deny');
      assert.match(answer.reason, /^cancelled/);
      check('deny-again', await client.ask('deny-again', id));
      client.write({ cancel: id });
      check('allow-again', await client.ask('allow-again', id));
    }
  },

  // Node has no fork of a process; what it calls so starts another program, with a client of its own.
  async forked(client) {
    await many(client, 'before-');
    const [program, workspace] = process.argv.slice(2);
    const child = fork(process.argv[1], [program, workspace, 'at_once']);
    await many(client, 'parent-');
    const [status] = await once(child, 'exit');
    assert.equal(status, 0);
  },

  async killed(client) {
    execFileSync('mkfifo', [`${client.workspace}/started`]);
    const held = client.ask('hold');
    const hook = (await readFile(`${client.workspace}/started`, 'utf8')).trim();
    for (let n = 0; n < 64; n += 1) client.ask(`deny-${n}`);
    console.log(client.process.pid, hook);
    await held;
  },
};

const [program, workspace, scenario] = process.argv.slice(2);
const client = await Client.start(program, workspace);
await scenarios[scenario](client);
await client.close();
