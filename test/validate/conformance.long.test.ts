import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';
import { serverRequirements } from '../../scripts/conformance/server.js';
import { root } from '../../scripts/conformance/suite.js';
import type { Line } from './recording.js';
import { compiled } from '../support/program.js';
import { lines, validateText } from './support.js';
import { wiretap } from './wiretap.js';

let server: ChildProcess;
let url: string;
beforeAll(async () => {
  const args = [compiled(new URL('../conformance/server.ts', import.meta.url))];
  server = spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const output = server.stdout as NonNullable<typeof server.stdout>;
  [url] = (await once(createInterface(output), 'line')) as [string];
}, 60_000);
afterAll(async () => {
  const exited = once(server, 'exit');
  server.stdin?.end();
  await exited;
});

/**
 * What the suite, which plays the client, does wrong to see how the server answers: requests without their `_meta`, with an
 * unknown version, with methods of other revisions, answers of a wrong form, states that it changed, ids that it uses twice.
 */
const ON_PURPOSE: ReadonlySet<string> = new Set([
  'bad-message',
  'no-client-info',
  'reused-id',
  'undeclared-capability',
  'unknown-revision',
  'wrong-request-state',
]);

it.each(Object.values(DIALECT_REVISIONS))(
  'the passing run of the conformance suite for %s has no finding about the server',
  async (revision) => {
    const tap = await wiretap(url);
    const run = await serverRequirements(tap.url, revision);
    await tap.close();
    expect(run).toMatchObject({ passed: true });
    const ofServer: string[] = [];
    const ofClient = new Set<string>();
    let messages = 0;
    for (const recording of tap.sessions.values()) {
      messages += recording.length;
      const { findings } = await validateText(lines(...recording));
      for (const finding of findings) {
        const line = recording[finding.line - 1];
        if (line?.direction === 'client') ofClient.add(finding.code);
        else if (!isDue(line, finding.code)) ofServer.push(`${finding.code}: ${finding.message}`);
      }
    }
    expect(messages).toBeGreaterThan(100);
    expect(ofServer).toEqual([]);
    expect([...ofClient].filter((code) => !ON_PURPOSE.has(code))).toEqual([]);
  },
  300_000,
);

/**
 * Answers to messages that the suite broke on purpose. The server gives them the id null, as JSON-RPC says, where it could
 * not read the request; and `validate` does not follow requests of unknown versions.
 */
function isDue(line: Line | undefined, code: string): boolean {
  const { id, error } = line?.message ?? {};
  return (code === 'bad-message' && id === null) || (code === 'unasked' && error !== undefined);
}
