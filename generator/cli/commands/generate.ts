import { printable } from '../../diagnostics/index.js';
import type { Diagnostic, Paint } from '../../diagnostics/index.js';
import { generate } from '../../pipeline.js';
import type { GeneratedProtocol } from '../../pipeline.js';
import { applyPlan, conflictsOf, diskFolder } from '../../write/index.js';
import type { Plan, Step } from '../../write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import type { Report } from '../command.js';
import { EXIT } from '../exit.js';
import type { ExitCode } from '../exit.js';
import { select, SELECTION_OPTIONS, SELECTION_POSITIONALS } from '../selection.js';

export const generateCommand = defineCommand({
  examples: [
    ['generate', 'as mcp-codegen.json says, or all'],
    ['generate 2025-11-25 --out src/mcp', 'one revision'],
    ['generate --schema ./schema.json --name mine', 'a schema of your own'],
    ['generate --dry-run', 'show what would be written'],
  ],
  positionals: SELECTION_POSITIONALS,
  options: {
    ...SELECTION_OPTIONS,
    'dry-run': { type: 'boolean', describe: 'Show per file what would be done' },
    force: { type: 'boolean', describe: 'Overwrite files that were edited' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const { out, shownOut, ...selection } = select(args, io.cwd);
    const folder = diskFolder(out);
    const { plan, protocols, diagnostics } = await generate({
      ...selection,
      folder,
      force: args.force ?? false,
      onProtocol: ({ name, unchanged, files }) => {
        if (!unchanged) io.err.write(`${name}: generated ${String(files.length)} files\n`);
      },
    });
    const dryRun = args.dryRun ?? false;
    if (!dryRun && conflictsOf(plan).length === 0) applyPlan(plan, folder);
    return report({ plan, protocols, diagnostics, out: shownOut, dryRun });
  },
});

interface Outcome {
  readonly plan: Plan;
  readonly protocols: readonly GeneratedProtocol[];
  readonly diagnostics: readonly Diagnostic[];
  readonly out: string;
  readonly dryRun: boolean;
}

function report({ plan, protocols, diagnostics, out, dryRun }: Outcome): Report {
  return {
    exitCode: exitCode(plan, diagnostics),
    diagnostics,
    data: { out, dryRun, protocols, files: plan.map(stepData) },
    text: (paint) => {
      const shown = dryRun ? plan : plan.filter(({ action }) => action !== 'skip');
      const lines = shown.map((step) => stepLine(step, out, paint));
      return `${lines.join('')}${summary(plan, dryRun)}\n`;
    },
  };
}

function exitCode(plan: Plan, diagnostics: readonly Diagnostic[]): ExitCode {
  if (conflictsOf(plan).length > 0) return EXIT.conflict;
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
    return `Nothing was written: ${files} in the way. Move your changes elsewhere, or use --force.`;
  }
  const count = (action: Step['action']): number =>
    plan.filter((step) => step.action === action).length;
  const counts = [
    `${String(count('create'))} created`,
    `${String(count('update'))} updated`,
    `${String(count('delete'))} deleted`,
    `${String(count('skip'))} unchanged`,
  ].filter((text) => !text.startsWith('0 '));
  return dryRun ? `Would be: ${counts.join(', ')}. Nothing was written.` : `${counts.join(', ')}.`;
}
