import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { newerNode } from '../newer-node.js';

/**
 * Runs scenarios of the official conformance suite. Each has a process of the suite to itself: in one process the suite runs
 * all scenarios of a client at once, and on a busy machine each then takes too long for the suite's own timeouts.
 */

const run = promisify(execFile);

export const root = join(import.meta.dirname, '..', '..');

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);

/** Some timeouts of the suite cannot be set. A scenario fails if it fails this often, because a fault does so each time. */
const ATTEMPTS = 3;
const TIMEOUT_MS = '120000';

export type Side = 'client' | 'server';

export interface Finding {
  /** What was run. */
  readonly what: string;
  /** Whether no scenario failed, and something was checked. */
  readonly passed: boolean;
  /** The number of checks by outcome. */
  readonly counts: Counts;
  /** The failed checks, and the output of the suite where it failed without one. */
  readonly problems: readonly string[];
  /** Scenarios that passed after they had failed. */
  readonly repeated: readonly string[];
}

type Counts = Readonly<Record<'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED', number>>;

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

export interface Scenarios {
  readonly what: string;
  readonly side: Side;
  /** The client's command or the server's URL, as options of the suite. */
  readonly of: readonly string[];
  readonly names: readonly string[];
  /** The revision that they run at. Default: their own. */
  readonly revision?: string;
  /** How many run at a time. */
  readonly atATime: number;
}

/** Runs scenarios; `what` is what they are together. */
export async function conformance(scenarios: Scenarios): Promise<Finding> {
  const waiting = [...scenarios.names];
  const found: Ran[] = [];
  const lane = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      found.push(await attempted(scenarios, name));
    }
  };
  await Promise.all(Array.from({ length: scenarios.atATime }, lane));
  const counts = countsOf(found.flatMap(({ checks }) => checks));
  const problems = found.flatMap((each) => each.problems);
  return {
    what: scenarios.what,
    passed: problems.length === 0 && counts.SUCCESS + counts.SKIPPED > 0,
    counts,
    problems,
    repeated: found.filter(({ attempts }) => attempts > 1).map(({ name }) => name),
  };
}

/** The scenarios that the suite has for a side at a revision: those that it requires, and those that it only reports. */
export async function scenariosOf(side: Side, revision: string): Promise<readonly string[]> {
  const { stdout } = await run(await newerNode(), [suite, 'list', '--requirements', revision]);
  const [, required = ''] =
    new RegExp(`^${side} scenarios .*:\n((?: .*\n)+)`, 'im').exec(stdout) ?? [];
  const names = [...required.matchAll(/^ +- (\S+)$/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`The suite lists no ${side} scenarios: ${stdout}`);
  const others = [...stdout.matchAll(/^ +- (\S+) \[(\w+)\]$/gm)];
  return [...names, ...others.flatMap(([, name = '', of]) => (of === side ? [name] : []))];
}

interface Ran {
  readonly name: string;
  readonly checks: readonly Check[];
  /** Why it did not pass. */
  readonly problems: readonly string[];
  readonly attempts: number;
}

async function attempted(scenarios: Scenarios, name: string): Promise<Ran> {
  for (let attempts = 1; ; attempts += 1) {
    const ran = { name, attempts, ...(await once(scenarios, name)) };
    if (ran.problems.length === 0 || attempts === ATTEMPTS) return ran;
  }
}

async function once(
  { side, of, revision }: Scenarios,
  name: string,
): Promise<Pick<Ran, 'checks' | 'problems'>> {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-conformance-'));
  const at = revision === undefined ? [] : ['--spec-version', revision, '--force'];
  const options = ['--scenario', name, ...at, '--timeout', TIMEOUT_MS, '--output-dir', folder];
  try {
    const args = [suite, side, ...of, ...options];
    const failure = await run(await newerNode(), args, { maxBuffer: 2 ** 26 }).then(
      () => undefined,
      (error: unknown) => outputOf(error),
    );
    const checks = checksIn(folder);
    return { checks, problems: problemsOf(name, checks, failure) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `failure` is the output of the suite when it ended with another exit code than 0, as it also does for a warning. */
function problemsOf(name: string, checks: readonly Check[], failure?: string): readonly string[] {
  const { FAILURE, WARNING } = countsOf(checks);
  if (FAILURE > 0) {
    return checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, description, errorMessage = '' }) => `${id}: ${description} ${errorMessage}`);
  }
  return failure === undefined || WARNING > 0 ? [] : [`${name}: ${failure}`];
}

function countsOf(checks: readonly Check[]): Counts {
  const counts = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0 };
  for (const { status } of checks) {
    if (status in counts) counts[status as keyof typeof counts] += 1;
  }
  return counts;
}

function checksIn(folder: string): Check[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('checks.json'))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Check[]);
}

function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  return stdout + stderr || String(error);
}
