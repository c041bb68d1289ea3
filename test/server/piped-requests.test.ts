import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { DIALECT_VERSIONS } from '../../runtime/protocol.js';
import { createTaskServer } from '../../runtime/server/index.js';
import type { Dialect, JsonObject } from '../../runtime/tasks/index.js';
import { ON_DEMAND } from '../../runtime/peer/wire/on-demand.js';
import { loadRevisions, type Revision } from '../../runtime/peer/wire/revision.js';
import { changed, type Draft, REQUESTS } from './drafts.js';
import { clientOf, nextMillisecond, probe, seedPipe, settle } from './pipes.js';
import { filled } from './seeded.js';
import { hold, testTools } from './tools.js';
import { sized } from '../support/size.js';

/** Of answers to requests that no layer refuses, and of the refusals of those that are changed. */
const CODES = [undefined, -32601, -32602, -32603, -32021, -32055];
const IGNORED = /^Ignored an invalid notification/;
const REFUSALS = [...CODES, -32600, -32022];

async function pipe(dialect: Dialect) {
  const problems: string[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    tools: testTools,
    onError: ({ message }) => void problems.push(message),
  });
  onTestFinished(async () => {
    hold('forever').release();
    await server.close(0);
  });
  const client = clientOf(server);
  await settle(client, dialect);
  const names = await seedPipe(client, dialect);
  const { loaded } = await loadRevisions(server.revisions, true, ON_DEMAND);
  const revision = loaded.get(DIALECT_VERSIONS[dialect]) as Revision;
  let probes = 0;

  /** The codes of the answers that come before that of a request which follows. Other messages belong to tasks. */
  return async function send({ message }: Draft): Promise<(number | undefined)[]> {
    client.lines.length = problems.length = 0;
    await nextMillisecond();
    client.write(filled(JSON.stringify(message) ?? '', names));
    const id = `probe-${(probes += 1)}`;
    await client.request(probe(dialect, id));
    const isAnswered = (): boolean => client.lines.some((line) => !/"method":|"probe-/.test(line));
    const { id: asked } = (message ?? {}) as JsonObject;
    // Some answers take several turns, and one that was refused for its id names none.
    for (let turns = 0; asked !== undefined && !isAnswered() && turns < 200; turns += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    // A message without an id gets no answer, so that what is wrong with it is only reported.
    const own = asked === undefined ? problems.filter((each) => !IGNORED.test(each)) : problems;
    expect(own).toEqual([]);
    const said = client.lines.map((line) => JSON.parse(line) as JsonObject);
    for (const each of said) {
      const { id: answered, ...rest } = each;
      // JSON-RPC asks for null where the id could not be read, which the schemas do not have.
      const checked = answered === null ? rest : each;
      expect(revision.check(checked, 'server'), JSON.stringify(each)).toBeUndefined();
    }
    return said
      .filter((each) => each['method'] === undefined && each['id'] !== id)
      .map(({ error }) => (error as { readonly code: number } | undefined)?.code);
  };
}

const numRuns = sized(150);

describe.each(['core', 'ext'] as const)('requests over a pipe (%s)', (dialect) => {
  const requests = Object.entries(REQUESTS).filter(([name]) => name.startsWith(dialect));

  it.each(requests)('%s gets one valid answer', { timeout: 30_000 }, async (_, draft) => {
    const [code, ...others] = await (await pipe(dialect))(draft);
    expect(CODES).toContain(code);
    expect(others).toEqual([]);
  });

  it(
    'get at most one valid answer when they are changed in up to three places',
    async () => {
      const send = await pipe(dialect);
      await fc.assert(
        fc.asyncProperty(changed(requests.map(([, draft]) => draft)), async (draft) => {
          const codes = await send(draft);
          expect(codes.length).toBeLessThanOrEqual(1);
          expect(codes.every((code) => REFUSALS.includes(code))).toBe(true);
        }),
        { numRuns },
      );
    },
    60_000 + numRuns * 200,
  );
});
