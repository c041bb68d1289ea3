import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { conformance, type Finding, root } from './suite.js';
import { compiled } from '../../test/support/program.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

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

/** `test/conformance/server.ts` against every requirement of both revisions and every tasks scenario. */
export async function* serverConformance(): AsyncGenerator<Finding> {
  const server = spawn(
    process.execPath,
    [compiled(new URL('../../test/conformance/server.ts', import.meta.url))],
    { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(server, 'exit');
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  try {
    const against = ['server', '--url', await nextOf(lines)];
    for (const revision of Object.values(DIALECT_REVISIONS)) {
      yield conformance(`server, requirements of ${revision}`, [
        ...against,
        '--requirements',
        revision,
      ]);
    }
    for (const scenario of TASKS) {
      yield conformance(`server, ${scenario}`, [...against, '--scenario', scenario]);
    }
  } finally {
    server.stdin.end();
    await exited;
  }
}

async function nextOf(lines: AsyncIterator<string>): Promise<string> {
  const next = await lines.next();
  if (next.done === true) throw new Error('The server ended without its output');
  return next.value;
}
