import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { newerNode } from '../newer-node.js';

/** Runs the official conformance suite and prints its results. */

const run = promisify(execFile);

export const root = join(import.meta.dirname, '..', '..');

const suite = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist',
  'index.js',
);

export interface Finding {
  /** What was run. */
  readonly what: string;
  /** Whether the suite passed and ran at least one check. */
  readonly passed: boolean;
  /** The number of checks by outcome. */
  readonly counts: Readonly<Record<'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED', number>>;
  /** The failed checks, or the suite's output if it ran none. */
  readonly problems: readonly string[];
  /** Scenarios whose results do not count, of those that the suite has for this. */
  readonly leftOut?: LeftOut;
}

export interface LeftOut {
  readonly scenarios: readonly string[];
  readonly reason: string;
}

const NOTHING: LeftOut = { scenarios: [], reason: '' };

interface Check {
  readonly id: string;
  readonly status: string;
  readonly description: string;
  readonly errorMessage?: string;
}

/**
 * Runs one command of the suite, `client` or `server` first. It leaves out the results of scenarios that
 * were not requested.
 */
export async function conformance(
  what: string,
  args: readonly string[],
  leftOut: LeftOut = NOTHING,
): Promise<Finding> {
  const node = await newerNode();
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-conformance-'));
  try {
    const printed = await run(node, [suite, ...args, '--output-dir', folder], {
      maxBuffer: 2 ** 26,
    }).then(
      () => undefined,
      (error: unknown) => outputOf(error),
    );
    const ran = leftOut.scenarios.filter((name) => resultsIn(folder).some(isOf(name)));
    const judged = judge(what, checksIn(folder, leftOut.scenarios), printed);
    return { ...judged, leftOut: { ...leftOut, scenarios: ran } };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `printed` is the suite's output after a failure. */
function judge(
  what: string,
  checks: readonly Check[],
  printed: string | undefined,
): Omit<Finding, 'leftOut'> {
  const counts = { SUCCESS: 0, FAILURE: 0, WARNING: 0, SKIPPED: 0 };
  for (const { status } of checks) {
    if (status in counts) counts[status as keyof typeof counts] += 1;
  }
  const failed = checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, description, errorMessage = '' }) => `${id}: ${description} ${errorMessage}`);
  const looked = counts.SUCCESS + counts.SKIPPED > 0;
  const passed = looked && counts.FAILURE === 0 && printed === undefined;
  const problems = passed || failed.length > 0 ? failed : [printed ?? 'Nothing was checked'];
  return { what, passed, counts, problems };
}

/** The suite names a folder by its scenario and the time. */
function isOf(scenario: string): (name: string) => boolean {
  return (name) => name.startsWith(`${scenario}-2`);
}

function resultsIn(folder: string): string[] {
  const all = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('checks.json'));
}

function checksIn(folder: string, leftOut: readonly string[]): Check[] {
  return resultsIn(folder)
    .filter((name) => !leftOut.some((scenario) => isOf(scenario)(name)))
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Check[]);
}

function outputOf(error: unknown): string {
  const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
  return stdout + stderr || String(error);
}
