import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { streamV1, taskSession } from '../server/clients.js';
import { startHttp } from '../server/process.js';
import type { HttpProcess } from '../server/process.js';
import { tokenOf } from '../server/tokens.js';
import { recorded, transportTo } from './recording.js';
import type { Line } from './recording.js';
import { lines, validateText } from './support.js';
import { wiretap } from './wiretap.js';

/** Tasks that the official clients run on a real server. */

const ANSWER = { name: 'Ann' };
let http: HttpProcess;
beforeAll(async () => void (http = await startHttp()), 120_000);
afterAll(() => http.stop());

const findingsOf = async (all: readonly Line[]): Promise<string[]> =>
  (await validateText(lines(...all))).findings.map(
    ({ line, severity, code, message }) => `${String(line)} ${severity} ${code}: ${message}`,
  );

it.each([
  ['stdio', 'legacy'],
  ['stdio', 'auto'],
  ['http', 'legacy'],
  ['http', 'auto'],
] as const)('a recording of ext-tasks over %s in mode %s has no finding', async (kind, mode) => {
  const all: Line[] = [];
  const tap = await wiretap(http.url);
  onTestFinished(() => tap.close());
  const transport = transportTo(kind, tap.url);
  const session = await taskSession(
    kind === 'http' ? transport : recorded(transport, all),
    mode,
    ANSWER,
  );
  const options = mode === 'legacy' ? { task: { preference: 'prefer' } as const } : {};
  const tools = ['wait', 'failing', ...(mode === 'auto' ? ['asks-once', 'asks-first'] : [])];
  for (const name of tools) {
    const execution = await session.callTool(name, name === 'wait' ? { ms: 50 } : {}, options);
    expect(execution.kind).toBe('task');
    await execution.settle();
  }
  for (const recording of tap.sessions.values()) all.push(...recording);
  expect(all.length).toBeGreaterThan(10);
  expect(await findingsOf(all)).toEqual([]);
});

/**
 * The client of SDK v1 leaves the related task out of its answers, which CORE-INP-2 demands: that is a warning
 * (`no-related-task`).
 */
it('a recording of the client of SDK v1 has the warnings of answers without a related task, and no other finding', async () => {
  const all: Line[] = [];
  const headers = { authorization: `Bearer ${tokenOf('ann')}` };
  const transport = new StreamableHTTPClientTransport(new URL(http.url), {
    requestInit: { headers },
  });
  await streamV1(recorded(transport, all), ANSWER, [
    { name: 'wait', arguments: { ms: 50 } },
    { name: 'asks-once', arguments: {} },
  ]);
  const findings = await findingsOf(all);
  expect(findings.filter((each) => !each.includes(' warning no-related-task: '))).toEqual([]);
  expect(findings).toHaveLength(1);
});
