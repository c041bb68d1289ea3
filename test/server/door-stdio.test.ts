import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { SpanKind } from '@opentelemetry/api';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createTaskServer } from '../../runtime/server/index.js';
import type { AuditEvent, Dialect } from '../../runtime/tasks/index.js';
import { type Recorded, recordTelemetry } from '../support/telemetry.js';
import { AT_ONCE, filled, withoutIds } from './both-ways.js';
import { changed, type Draft, REQUESTS } from './drafts.js';
import { clientOf, nextMillisecond, probe, seedPipe, settle } from './pipes.js';
import { WITH_DOOR } from './support.js';
import { hold, testTools } from './tools.js';

/** What a server did with a line. */
interface Seen {
  readonly lines: readonly string[];
  readonly audit: readonly string[];
  readonly problems: readonly string[];
  readonly spans: readonly string[];
}

async function way(withDoor: boolean, dialect: Dialect, recorded: Recorded) {
  const audit: AuditEvent[] = [];
  const problems: Error[] = [];
  const server = await createTaskServer({
    name: 'test',
    version: '1.0.0',
    title: 'Test',
    tools: testTools,
    audit: (event) => void audit.push(event),
    onError: (error) => problems.push(error),
  });
  onTestFinished(async () => {
    hold('forever').release();
    await server.close(0);
  });
  const client = clientOf(server, withDoor);
  await settle(client, dialect);
  const names = await seedPipe(client, dialect);
  let probes = 0;

  return async function send({ message }: Draft): Promise<Seen> {
    audit.length = problems.length = client.lines.length = 0;
    const earlier = recorded.spans().length;
    await nextMillisecond();
    client.write(filled(JSON.stringify(message) ?? '', names));
    // Not each line gets an answer, and some answers take several turns.
    const id = `probe-${++probes}`;
    await client.request(probe(dialect, id));
    const asked = requestId(message);
    const member = `"id":${JSON.stringify(asked)}`;
    const answered = (): boolean =>
      client.lines.some((line) => line.includes(`${member},`) || line.includes(`${member}}`));
    for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    for (let waits = asked === undefined ? 0 : 200; waits > 0 && !answered(); waits -= 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const masked = (value: string): string => withoutIds(value, names).replaceAll(id, 'probe');
    return {
      lines: client.lines
        .filter((line) => !line.includes(`"${id}"`) && !line.includes('"notifications/tasks'))
        .map(masked),
      audit: audit
        .filter(({ type }) => AT_ONCE.has(type))
        .map(({ at: _, ...event }) => masked(JSON.stringify(event))),
      problems: problems.map((problem) => masked(problem.message)),
      spans: recorded
        .spans()
        .slice(earlier)
        .filter(({ kind, name }) => kind === SpanKind.SERVER && name !== 'tools/list')
        .map(({ name, attributes, status }) =>
          masked(JSON.stringify([name, Object.entries(attributes).sort(), status])),
        ),
    };
  };
}

/** The id of what the SDK takes for a request, which it answers. A changed message may have any id. */
function requestId(message: unknown): string | number | undefined {
  try {
    const parsed = parseJSONRPCMessage(message);
    return 'method' in parsed && 'id' in parsed ? parsed.id : undefined;
  } catch {
    return undefined;
  }
}

/** `DOOR_RUNS=5000` draws more. */
const numRuns = Number(process.env['DOOR_RUNS'] ?? 150);

/** These ask both ways by themselves. */
describe.skipIf(!WITH_DOOR).each(['core', 'ext'] as const)(
  'the door of stdio answers as the SDK does (%s)',
  (dialect) => {
    const recorded = recordTelemetry();
    const requests = Object.entries(REQUESTS)
      .filter(([name]) => name.startsWith(dialect))
      .map(([, draft]) => draft);

    it('every kind of request', async () => {
      const open = await way(true, dialect, recorded);
      const shut = await way(false, dialect, recorded);
      for (const draft of requests) {
        const seen = await open(draft);
        expect(seen, JSON.stringify(draft.message)).toEqual(await shut(draft));
        expect(seen.lines.length).toBeGreaterThan(0);
      }
    });

    it('every kind of request, changed in up to three places', async () => {
      const open = await way(true, dialect, recorded);
      const shut = await way(false, dialect, recorded);
      await fc.assert(
        fc.asyncProperty(changed(requests), async (draft) => {
          expect(await open(draft), JSON.stringify(draft.message)).toEqual(await shut(draft));
        }),
        { numRuns },
      );
    });
  },
);
