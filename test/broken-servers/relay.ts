import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A process without a will: a socket gets its input, and says what it writes and how it ends. */
const SOURCE = `
const socket = require('node:net').connect(Number(process.argv[2]), '127.0.0.1');
process.stdin.pipe(socket);
const ends = () => process.exit(0);
process.stdin.on('end', ends);
socket.on('error', ends).on('close', ends);
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
require('node:readline').createInterface({ input: socket }).on('line', (text) => {
  const { out, err, end, exit } = JSON.parse(text);
  if (out !== undefined) process.stdout.write(Buffer.from(out, 'base64'));
  if (err !== undefined) process.stderr.write(err);
  if (end) process.stdout.end();
  if (typeof exit === 'number') process.exit(exit);
  if (typeof exit === 'string') process.kill(process.pid, exit);
});
`;

export const RELAY = join(mkdtempSync(join(tmpdir(), 'mcp-codegen-relay-')), 'relay.cjs');
writeFileSync(RELAY, SOURCE);
