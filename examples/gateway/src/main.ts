import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { createGateway } from './gateway.js';
import { linesOf, writeLine } from './lines.js';
import type { Side } from './revisions.js';

/** Starts a server and stands between it and the client on standard input and output. */
const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('Usage: node dist/main.js <command that starts the server> [its arguments]');
  process.exit(2);
}

const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
server.on('error', ({ message }) => {
  console.error(`Cannot start the server ${JSON.stringify(command)}: ${message}`);
  process.exit(1);
});
// The end of the server is reported by `exit`, that of the client by the end of its input.
server.stdin.on('error', () => undefined);
process.stdout.on('error', () => server.kill());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal));

const ended = once(server, 'exit') as Promise<[number | null]>;
const receive = createGateway();

async function relay(from: Side, input: Readable, ahead: Writable, back: Writable): Promise<void> {
  for await (const line of linesOf(input)) {
    const { forward, answer, problem } = receive(line, from);
    if (problem !== undefined) console.error(`gateway: ${problem}`);
    if (forward !== undefined) await writeLine(ahead, forward);
    if (answer !== undefined) await writeLine(back, answer);
  }
}

try {
  const fromClient = relay('client', process.stdin, server.stdin, process.stdout);
  const fromServer = relay('server', server.stdout, process.stdout, server.stdin);
  await Promise.race([fromClient.then(() => server.stdin.end()), fromServer]);
  await fromServer;
} catch (error) {
  console.error(`gateway: ${(error as Error).message}`);
  server.kill();
}
const [code] = await ended;
process.exit(code ?? 1);
