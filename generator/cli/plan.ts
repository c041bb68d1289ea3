import { printable } from '../diagnostics/index.js';
import type { Diagnostic, Paint } from '../diagnostics/index.js';
import { conflictsOf, staleFiles } from '../write/index.js';
import type { Plan, Step } from '../write/index.js';
import type { Report } from './command.js';
import { EXIT } from './exit.js';
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
