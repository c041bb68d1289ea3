import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

/**
 * Runs the official conformance suite against `test/conformance/server.ts`: every requirement of both
 * revisions, and every tasks scenario. Any failure is one; nothing is expected to fail.
 *
 * The suite needs Node 22, which this project does not: it runs under the one that npm has as a package.
 */
const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const nodeHome = join(root, '.cache', 'node-24');
const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const newerNode = join(nodeHome, 'node_modules', nodePackage, 'bin', 'node');
const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);

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

async function suitableNode(): Promise<string> {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  if (!existsSync(newerNode)) {
    mkdirSync(nodeHome, { recursive: true });
    console.error(`Installing ${nodePackage}@24 for the suite`);
    await run('npm', [
      'install',
      '--no-audit',
      '--no-fund',
      '--prefix',
      nodeHome,
      `${nodePackage}@24`,
    ]);
  }
  return newerNode;
}

interface Finding {
  readonly what: string;
  readonly passed: boolean;
  readonly output: string;
}

async function check(node: string, url: string, what: string, args: string[]): Promise<Finding> {
  try {
    const { stdout } = await run(node, [suite, 'server', '--url', url, ...args], {
      maxBuffer: 2 ** 26,
    });
    return { what, passed: !/[1-9]\d* failed/.test(stdout), output: stdout };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { what, passed: false, output: stdout + stderr };
  }
}

const node = await suitableNode();
const server = spawn(
  process.execPath,
  ['--import', 'tsx', join(root, 'test', 'conformance', 'server.ts'), ...process.argv.slice(2)],
  { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
);
const url = await new Promise<string>((resolve, reject) => {
  createInterface(server.stdout).once('line', resolve);
  server.once('exit', (code) => reject(new Error(`The server ended with ${code} at its start`)));
});

let failures = 0;
async function report(finding: Promise<Finding>): Promise<void> {
  const { what, passed, output } = await finding;
  const total = /^Total:.*$|^Passed:.*$/m.exec(output)?.[0] ?? '';
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${what} ${total}`);
  if (!passed) {
    failures += 1;
    console.log(output);
  }
}

try {
  for (const revision of ['2025-11-25', '2026-07-28']) {
    await report(check(node, url, `--requirements ${revision}`, ['--requirements', revision]));
  }
  for (const scenario of TASKS) {
    await report(check(node, url, scenario, ['--scenario', scenario]));
  }
} finally {
  server.stdin.end();
}
process.exitCode = failures === 0 ? 0 : 1;
