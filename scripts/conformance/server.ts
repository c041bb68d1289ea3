import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { conformance, type Finding, root, type Scenarios, scenariosOf } from './suite.js';
import { commandOf, sayThrough, type Through } from './through.js';
import { proxiedUrl } from '../../test/recording/proxied-url.js';
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
export async function* serverConformance(through: Through): AsyncGenerator<Finding> {
  const server = spawn(
    process.execPath,
    [compiled(new URL('../../test/conformance/server.ts', import.meta.url))],
    { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const exited = once(server, 'exit');
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const command = commandOf(through);
  const direct = await nextOf(lines);
  const proxy = command && (await proxiedUrl(command, direct));
  const url = proxy?.url ?? direct;
  const said = sayThrough(through);
  try {
    for (const revision of Object.values(DIALECT_REVISIONS)) {
      yield serverRequirements(url, revision, said);
    }
    yield conformance({ ...shared(url), what: `server, tasks${said}`, names: TASKS });
  } finally {
    await proxy?.end();
    server.stdin.end();
    await exited;
  }
}

/** The server at a URL against every requirement of a revision. */
export async function serverRequirements(
  url: string,
  revision: string,
  said = '',
): Promise<Finding> {
  const names = await scenariosOf('server', revision);
  const what = `server, requirements of ${revision}${said}`;
  return conformance({ ...shared(url), what, names, revision });
}

function shared(url: string): Pick<Scenarios, 'side' | 'of' | 'atATime'> {
  // A notification to all clients of a server would reach another scenario.
  return { side: 'server', of: ['--url', url], atATime: 1 };
}

async function nextOf(lines: AsyncIterator<string>): Promise<string> {
  const next = await lines.next();
  if (next.done === true) throw new Error('The server ended without its output');
  return next.value;
}
