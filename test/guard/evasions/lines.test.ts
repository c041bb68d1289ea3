import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { PROTOCOLS } from '../../../contracts/protocols/protocols.js';
import { createGuard } from '../../../contracts/recording/guard/index.js';
import { relayLines } from '../../../contracts/recording/proxy/lines-relay.js';
import { DIALECT_REVISIONS, revisionsWhere } from '../../../generator/ir/revisions/index.js';
import { sampled } from '../../support/size.js';
import { LOCK } from '../support.js';
import { type Direction, goodOf, hidden, HIDINGS, isEvil } from './hidings.js';
import { READERS } from './readers.js';

const ENDS = { LF: '\n', CRLF: '\r\n', CR: '\r', 'LF and CR': '\n\r', none: '' } as const;
/** The lock's, older ones, and one that is not known. */
const REVISIONS = [...revisionsWhere(({ dialect }) => dialect === 'core'), '1999-01-01'];

interface Case {
  readonly from: Direction;
  readonly way: string;
  readonly end: keyof typeof ENDS;
  readonly revision: string;
}

const CASES: readonly Case[] = (['server', 'client'] as const).flatMap((from) =>
  Object.keys(HIDINGS).flatMap((way) =>
    (Object.keys(ENDS) as (keyof typeof ENDS)[]).flatMap((end) =>
      REVISIONS.map((revision) => ({ from, way, end, revision })),
    ),
  ),
);

const INFO = { name: 'x', version: '1' };

function handshake(revision: string): Record<Direction, object[]> {
  const { instructions, capabilities } = LOCK;
  const opening = { protocolVersion: LOCK.revision, capabilities: {}, clientInfo: INFO };
  const opened = { protocolVersion: revision, capabilities, serverInfo: INFO, instructions };
  return {
    client: [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: opening },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
    ],
    server: [{ jsonrpc: '2.0', id: 1, result: opened }],
  };
}

/** The bytes that one side gets when the other one sends these after a handshake. */
async function passed(
  { from, end, revision }: Case,
  bytes: Uint8Array,
  enforce = true,
): Promise<Buffer> {
  const guard = createGuard({
    protocols: PROTOCOLS,
    lock: LOCK,
    enforce,
    onFinding: () => undefined,
  });
  const first = handshake(revision);
  const see = (side: Direction, message: unknown) => guard.see({ from: side, session: 1, message });
  await see('client', first.client[0]);
  await see('server', first.server[0]);
  await see('client', first.client[1]);
  if (from === 'server') await see('client', goodOf('client'));
  const [source, sink, back] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const chunks: Buffer[] = [];
  sink.on('data', (chunk: Buffer) => chunks.push(chunk));
  back.resume();
  source.write(bytes);
  source.end(ENDS[end]);
  await relayLines({ from, source, sink, back, watcher: guard });
  return Buffer.concat(chunks);
}

/** The readers that see what they may not. */
function deceived(bytes: Buffer): string[] {
  return Object.entries(READERS).flatMap(([name, open]) =>
    open()(bytes).some(isEvil) ? [name] : [],
  );
}

it('no reader of lines sees what was refused', async () => {
  const seen: unknown[] = [];
  for (const each of sampled(CASES, 150)) {
    const bytes = await passed(each, hidden(each.from, each.way));
    const who = deceived(bytes);
    if (who.length > 0) seen.push({ ...each, who, bytes: bytes.toString() });
    // One line for every reader.
    expect(bytes.toString()).toMatch(/^(?:[^\r\u0085\u2028\u2029]*\n)?$/);
  }
  expect(seen).toEqual([]);
});

it('every reader sees valid messages, and each way of hiding is seen by one when nothing is refused', async () => {
  const seen = new Set<string>();
  for (const from of ['server', 'client'] as const) {
    const plain = { from, end: 'LF', revision: DIALECT_REVISIONS.core, way: '' } as const;
    const good = await passed(plain, Buffer.from(JSON.stringify(goodOf(from))));
    for (const open of Object.values(READERS)) expect(open()(good)).toEqual([goodOf(from)]);
    for (const way of Object.keys(HIDINGS)) {
      const bytes = hidden(from, way);
      const all = await passed(plain, bytes, false);
      expect(all.equals(Buffer.concat([bytes, Buffer.from('\n')]))).toBe(true);
      if (deceived(all).length > 0) seen.add(way);
    }
  }
  expect(seen.size).toBeGreaterThan(Object.keys(HIDINGS).length / 2);
});

it('numbers are passed on as they were written', async () => {
  const numbers = '[9007199254740993,1.0,1e3,-0,0.1e-7,1E+2,"\\u2028"]';
  const json = JSON.stringify(goodOf('server')).replace(
    '"content"',
    `"_meta":{"n":${numbers}},"content"`,
  );
  const plain = { from: 'server', end: 'CRLF', revision: LOCK.revision, way: '' } as const;
  const bytes = await passed(plain, Buffer.from(json.replace(',"n"', '')));
  expect(bytes.toString()).toContain(numbers);
});
