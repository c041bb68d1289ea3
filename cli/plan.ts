import { join } from 'node:path';
import { printable } from '../json-schema/text.js';
import type { Diagnostic, Paint } from '../generator/diagnostics/index.js';
import { FileLockError, withFileLock } from '../runtime/client/node/file-lock.js';
import {
  applyPlan,
  asFirstSeen,
  ConflictError,
  conflictsOf,
  diskFolder,
  staleFiles,
} from '../generator/write/index.js';
import type { Folder, Plan, Step } from '../generator/write/index.js';
import type { Report } from './command.js';
import { CommandFailure, EXIT } from './exit.js';
import type { ExitCode } from './exit.js';

/** A plan that was applied, or only shown (`--dry-run`). */
export interface PlanOutcome {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** The folder for messages. */
  readonly out: string;
  readonly dryRun: boolean;
  /** Whether a plan that was only shown, and changes a file, is a finding. */
  readonly isCheck?: boolean;
  /** Further fields of the JSON document. */
  readonly data: object;
}

/** The report of every command that writes files. */
export function reportPlan(outcome: PlanOutcome): Report {
  const { plan, diagnostics, out, dryRun, data } = outcome;
  return {
    exitCode: exitCode(outcome),
    diagnostics,
    data: { out, dryRun, ...data, files: plan.map(stepData) },
    text: (paint) => {
      const shown = dryRun ? plan : plan.filter(({ action }) => action !== 'skip');
      const lines = shown.map((step) => stepLine(step, out, paint));
      return `${lines.join('')}${summary(plan, dryRun)}\n`;
    },
  };
}

function exitCode({ plan, diagnostics, dryRun, isCheck }: PlanOutcome): ExitCode {
  if (conflictsOf(plan).length > 0) return EXIT.conflict;
  if (dryRun && isCheck === true && staleFiles(plan).length > 0) return EXIT.stale;
  return diagnostics.some(({ severity }) => severity === 'error') ? EXIT.invalid : EXIT.done;
}

function stepData({ path, action, reason }: Step): object {
  return { path, action, ...(reason && { reason }) };
}

const COLOURS = {
  create: 'green',
  update: 'yellow',
  skip: 'dim',
  delete: 'red',
  conflict: 'red',
} as const satisfies Record<Step['action'], keyof Paint>;

function stepLine({ path, action, reason }: Step, out: string, paint: Paint): string {
  const place = printable(`${out}/${path}`);
  return `${paint[COLOURS[action]](action.padEnd(8))}  ${place}${reason ? ` ${reason}` : ''}\n`;
}

function summary(plan: Plan, dryRun: boolean): string {
  const conflicts = conflictsOf(plan).length;
  if (conflicts > 0) {
    const files = conflicts === 1 ? 'one file is' : `${String(conflicts)} files are`;
    return `Nothing was written: ${files} in conflict. Move your changes elsewhere, or use --force.`;
  }
  const count = (action: Step['action']): number =>
    plan.filter((step) => step.action === action).length;
  const counts = [
    `${String(count('create'))} created`,
    `${String(count('update'))} updated`,
    `${String(count('delete'))} deleted`,
    `${String(count('skip'))} unchanged`,
  ].filter((text) => !text.startsWith('0 '));
  return dryRun ? `Planned: ${counts.join(', ')}. Nothing was written.` : `${counts.join(', ')}.`;
}

/** How often a run plans again, because others have changed the folder. */
const MOST_PLANS = 100;

/**
 * Plans, and applies the plan while no other run of this program changes the folder: runs side by side add to the same
 * manifest and the same lists. What others have changed since the plan was made is planned again. Conflicts and a
 * `dryRun` write nothing.
 *
 * @throws {CommandFailure} when another process keeps the folder.
 */
export async function planAndApply<T extends { readonly plan: Plan }>(
  root: string,
  dryRun: boolean,
  make: (folder: Folder) => Promise<T> | T,
): Promise<T> {
  for (let plans = 1; ; plans += 1) {
    const folder = diskFolder(root);
    const made = await make(asFirstSeen(folder));
    const { plan } = made;
    if (dryRun || conflictsOf(plan).length > 0 || plan.every(({ action }) => action === 'skip')) {
      return made;
    }
    try {
      await withFileLock(join(root, '.mcp-codegen'), () => applyPlan(plan, folder));
      return made;
    } catch (error) {
      if (error instanceof FileLockError) {
        throw new CommandFailure(error.message, EXIT.conflict, undefined, { reason: 'conflict' });
      }
      if (!(error instanceof ConflictError) || plans === MOST_PLANS) throw error;
    }
  }
}
