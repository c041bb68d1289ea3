import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

import { conformance, type Finding, root } from './suite.js';

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

/**
 * `test/conformance/server.ts` against every requirement of both revisions and every tasks scenario: as it is, and with
 * the SDK answering every request.
 */
export async function* serverConformance(): AsyncGenerator<Finding> {
  yield* conformanceOf('server', 'open');
  yield* conformanceOf('server without its door', 'shut');
}

async function* conformanceOf(what: string, door: 'open' | 'shut'): AsyncGenerator<Finding> {
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'test', 'conformance', 'server.ts')],
    { cwd: root, stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, DOOR: door } },
  );
  const exited = once(server, 'exit');
  try {
    const against = ['server', '--url', await urlOf(server)];
    for (const revision of ['2025-11-25', '2026-07-28']) {
      yield conformance(`${what}, requirements of ${revision}`, [
        ...against,
        '--requirements',
        revision,
      ]);
    }
    for (const scenario of TASKS) {
      yield conformance(`${what}, ${scenario}`, [...against, '--scenario', scenario]);
    }
  } finally {
    server.stdin.end();
    await exited;
  }
}

async function urlOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('The server has no output');
  for await (const line of createInterface(stdout)) return line;
  throw new Error('The server ended at its start');
}
