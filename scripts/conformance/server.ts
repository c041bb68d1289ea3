import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import {
  type Compared,
  describeDifference,
  type Difference,
} from '../../test/support/twin/twin.js';
import { conformance, type Finding, root } from './suite.js';
import { DIALECT_REVISIONS } from '../../generator/revisions/index.js';

const TASKS = [
  'tasks-lifecycle',
  'tasks-capability-negotiation',
  'tasks-wire-fields',
  'tasks-request-state-removal',
  'tasks-mrtr-input',
  'tasks-request-headers',
  'tasks-dispatch-and-envelope',
  'tasks-status-notifications',
  'tasks-required-task-error',
  'tasks-mrtr-composition',
];

/** What `test/conformance/server.ts` prints when it ends. */
interface Report {
  readonly compared: Compared;
  readonly differences: readonly Difference[];
}

/**
 * `test/conformance/server.ts` against every requirement of both revisions and every tasks scenario: with the answers of
 * a server as it is, and with those of a server whose SDK answers every request. Both servers get each request, and
 * their answers are compared.
 */
export async function* serverConformance(): AsyncGenerator<Finding> {
  yield* conformanceOf('server', 'open');
  yield* conformanceOf('server without its door', 'shut');
}

async function* conformanceOf(what: string, leading: 'open' | 'shut'): AsyncGenerator<Finding> {
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'test', 'conformance', 'server.ts')],
    { cwd: root, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, LEADING: leading } },
  );
  const exited = once(server, 'exit');
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  try {
    const against = ['server', '--url', await nextOf(lines)];
    for (const revision of Object.values(DIALECT_REVISIONS)) {
      yield conformance(`${what}, requirements of ${revision}`, [
        ...against,
        '--requirements',
        revision,
      ]);
    }
    for (const scenario of TASKS) {
      yield conformance(`${what}, ${scenario}`, [...against, '--scenario', scenario]);
    }
    server.stdin.end();
    yield findingOf(what, JSON.parse(await nextOf(lines)) as Report);
  } finally {
    server.stdin.end();
    await exited;
  }
}

function findingOf(what: string, { compared, differences }: Report): Finding {
  const { requests, streams, events, repeated } = compared;
  const same = requests - differences.length;
  return {
    what: `${what}, answers compared with the other's (${streams} streams with ${events} events, ${repeated} repeated reads)`,
    passed: requests > 0 && differences.length === 0,
    counts: { SUCCESS: same, FAILURE: differences.length, WARNING: 0, SKIPPED: 0 },
    problems: differences.map(describeDifference),
  };
}

async function nextOf(lines: AsyncIterator<string>): Promise<string> {
  const next = await lines.next();
  if (next.done === true) throw new Error('The server ended without its output');
  return next.value;
}
