import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startFastmcp } from '../../bench/server/fastmcp.js';
import { APP } from '../server/process.js';
import { until } from '../server/support.js';
import { compiled } from '../support/program.js';
import { hasPty, openPty } from '../support/pty.js';
import { homeEnv, KEYS, openTerminal, temporary } from './terminal.js';

const MAIN = compiled(new URL('../../cli/bin.ts', import.meta.url));

/** A server of 2025-11-25 on its standard streams, whose tool runs this JavaScript. */
function serverOf(onCall: string, more = ''): readonly string[] {
  const script = `
    const send = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
    const text = (id, text) => send({ id, result: { content: [{ type: 'text', text }] } });
    let declared; let asking; ${more}
    require('node:readline').createInterface(process.stdin).on('line', (line) => {
      const { id, method, params, result, error } = JSON.parse(line);
      if (method === 'initialize') {
        declared = params.capabilities;
        send({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' } } });
      } else if (method === 'tools/list') {
        send({ id, result: { tools: [{ name: 'work', inputSchema: { type: 'object' } }] } });
      } else if (method === 'tools/call') { asking = id; ${onCall} }
      else if (method === undefined) text(asking, JSON.stringify(result ?? error));
      else if (id !== undefined) send({ id, error: { code: -32601, message: 'Unknown method' } });
    });`;
  return ['--', process.execPath, '-e', script];
}

it('calls FastMCP over HTTP', async () => {
  const url = await startFastmcp();
  const { run, output } = openTerminal({ person: false });
  expect(await run('call', 'plain', '--server', url)).toBe(0);
  expect(output()).toBe('done\n');
  const describing = openTerminal({ person: false });
  expect(await describing.run('describe', '--server', url)).toBe(0);
  expect(describing.output()).toMatch(/^fastmcp 1\.0\.0, revision \S+\n\nplain +A tool\n$/);
});

describe('what is declared to servers', () => {
  const tell = serverOf('text(id, JSON.stringify(Object.keys(declared).sort()));');

  it('is no sampling and no roots', async () => {
    const { run, output } = openTerminal({ person: false });
    expect(await run('call', 'work', ...tell)).toBe(0);
    expect(JSON.parse(output())).toContain('elicitation');
    expect(output()).not.toMatch(/roots|sampling/);
  });

  it('is what the options offer', async () => {
    const { run, output } = openTerminal({ person: false });
    expect(await run('call', 'work', '--sampling', '--root', '.', ...tell)).toBe(0);
    expect(JSON.parse(output())).toEqual(expect.arrayContaining(['roots', 'sampling']));
  });

  it('are the folders of --root, in their order', async () => {
    const { run, output, home } = openTerminal({ person: false });
    const ask = serverOf("send({ id: 'q', method: 'roots/list' });");
    mkdirSync(join(home, 'one'));
    const two = temporary();
    expect(await run('call', 'work', '--root', 'one', '--root', two, ...ask)).toBe(0);
    expect(JSON.parse(output())).toEqual({
      roots: [
        { uri: pathToFileURL(join(home, 'one')).href, name: 'one' },
        { uri: pathToFileURL(two).href, name: basename(two) },
      ],
    });
  });

  it('is refused to servers that ask for more', async () => {
    const { run, output } = openTerminal({ person: false });
    const ask = serverOf("send({ id: 'q', method: 'roots/list' });");
    expect(await run('call', 'work', ...ask)).toBe(0);
    expect(JSON.parse(output())).toMatchObject({ code: -32601 });
  });
});

describe.skipIf(process.platform === 'win32')('a started server', () => {
  it('ends with what it started, and does not delay the end of the command', async () => {
    const file = join(temporary(), 'pid');
    // A process that keeps the streams of the server open, as one behind npx does.
    const more = `const child = require('node:child_process').spawn(process.execPath,
      ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      require('node:fs').writeFileSync(${JSON.stringify(file)}, String(child.pid));`;
    const words = ['call', 'work', ...serverOf("text(id, 'done');", more)];
    const child = spawn(APP.command, [MAIN, ...words], { env: homeEnv(temporary()) });
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(0);
    const pid = Number(readFileSync(file, 'utf8'));
    const isRunning = (): boolean => {
      try {
        process.kill(pid, 0);
        // A process that has ended waits for its parent to see it.
        return !readFileSync(`/proc/${String(pid)}/stat`, 'utf8').includes(') Z ');
      } catch {
        return false;
      }
    };
    await until(
      () => Promise.resolve(isRunning()),
      (running) => !running,
    );
  });

  it.skipIf(!hasPty)(
    'does not get Ctrl-C of the terminal, so that the user can choose',
    async () => {
      const state = temporary();
      const words = [APP.command, MAIN, 'call', 'wait', 'ms:=8000', '--state', state];
      const { typed, code, shown } = openPty([...words, '--', APP.command, ...APP.args, 'stdio']);
      await typed('working', '');
      // Until the task is kept, Ctrl-C withdraws the call.
      await until(
        () => Promise.resolve(readdirSync(state, { recursive: true, encoding: 'utf8' })),
        (names) => names.some((name) => name.endsWith('.json')),
      );
      await typed('', KEYS.leave);
      await typed('The task is running.', KEYS.down);
      await typed('Cancel it', KEYS.down);
      await typed('Go on waiting', KEYS.enter);
      // The shell of the terminal got Ctrl-C, too: its exit code is not that of the command.
      await code;
      expect(shown()).toContain('waited 8000 ms');
    },
  );
});

describe.skipIf(!hasPty)('a first call at a terminal', () => {
  it('shows the question of the tool as a form, and then its answer', async () => {
    const form = `send({ id: 'q', method: 'elicitation/create', params: { message: 'Which room?',
      requestedSchema: { type: 'object', required: ['room'],
        properties: { room: { type: 'string', title: 'Room', enum: ['Hall', 'Tower'] } } } } });`;
    const file = join(temporary(), 'server.cjs');
    const [, , , script = ''] = serverOf(form);
    writeFileSync(file, script);
    const words = [APP.command, MAIN, 'call', 'work', '--', APP.command, file];
    const { typed, code, shown } = openPty(words);
    await typed('Which room?', '');
    await typed('Answer?', KEYS.enter);
    await typed('Room', '');
    await setTimeout(100);
    await typed('Tower', KEYS.down);
    await setTimeout(100);
    await typed('', KEYS.enter);
    expect(await code).toBe(0);
    expect(shown()).toContain('{"action":"accept","content":{"room":"Tower"}}');
  });
});
