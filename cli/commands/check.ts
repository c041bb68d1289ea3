import { many } from '../../generator/diagnostics/index.js';
import { printable } from '../../json-schema/text.js';
import { EMITS } from '../../generator/emit/index.js';
import { generate } from '../../generator/plan/generate.js';
import {
  diskFolder,
  staleFiles,
  type Folder,
  type Plan,
  type Step,
} from '../../generator/write/index.js';
import { defineCommand, JSON_OPTION, type Report } from '../command.js';
import { EXIT, type ExitCode } from '../exit.js';
import type { Io } from '../io.js';
import { assertTrusted, TRUST_OPTIONS } from '../project-trust.js';
import {
  select,
  selectionArguments,
  SELECTION_OPTIONS,
  SELECTION_POSITIONALS,
  type Selection,
} from '../selection.js';
import { readSelectedTools } from '../tools-selection.js';
import { shellWord } from '../shell.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';
import { packageVersion } from '../../generator/read/load/version.js';
import type { ConfiguredLock } from '../config-file.js';
import { lockReport } from '../lock-report.js';
import { compareAll, lockingOf } from '../locks.js';

export const checkCommand = defineCommand({
  examples: [
    ['check', 'as in mcp-codegen.json, or all revisions'],
    [`check ${DIALECT_REVISIONS.core} --out src/mcp`, 'one revision'],
    ['check --json', 'for scripts; exit code 4 when a file or a lock is out of date'],
    ['check --offline', 'without the servers of the locks'],
  ],
  values: { emit: EMITS },
  positionals: SELECTION_POSITIONALS,
  options: {
    ...SELECTION_OPTIONS,
    offline: { type: 'boolean', describe: 'Do not compare locks with their servers' },
    ...TRUST_OPTIONS,
    'no-input': { type: 'boolean', describe: 'Never prompt' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const { locks, project, ...selection } = select(args, io.cwd);
    const parts = args.offline === true ? [] : (['locks'] as const);
    await assertTrusted(project, ['inputs', ...parts], args, io);
    const generated = await checkGenerated(args, selection, io);
    if (args.offline === true || locks.length === 0) return generated;
    return together(generated, await checkLocks(locks, io));
  },
});

/** The report on the generated files. A project may have locks only. */
async function checkGenerated(
  args: Parameters<typeof selectionArguments>[0],
  { out, shownOut, tools, inputs, ...selection }: Omit<Selection, 'locks' | 'project'>,
  io: Io,
): Promise<Report> {
  if (inputs.length + tools.length === 0) {
    return { exitCode: EXIT.done, data: { out: shownOut, stale: [], changed: [] }, text: () => '' };
  }
  const folder = diskFolder(out);
  const { plan, protocols, diagnostics } = await generate({
    ...selection,
    cwd: io.cwd,
    inputs: [...inputs, ...(await readSelectedTools(tools, { ...io, out, asks: false }))],
    folder,
    force: false,
  });
  const stale = staleFiles(plan).map((step) => ({ path: step.path, reason: reasonOf(step) }));
  const schemas = protocols.filter(({ name }) => hasOtherSchema(name, plan, folder));
  const changed = schemas.map(({ name, source }) => ({ name, source }));
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  return {
    exitCode: stale.length > 0 ? EXIT.stale : broken ? EXIT.invalid : EXIT.done,
    diagnostics,
    data: { out: shownOut, stale, changed },
    text: (paint) =>
      stale.length === 0
        ? `Up to date: ${many(plan.length - 1, 'file')} in ${printable(shownOut)}.\n`
        : [
            ...changed.map(
              ({ name, source }) =>
                `${paint.yellow('changed')}  ${printable(source)} is another schema than that of ${printable(name)}\n`,
            ),
            ...stale.map(
              ({ path, reason }) =>
                `${paint.red('stale')}  ${printable(`${shownOut}/${path}`)} ${reason}\n`,
            ),
            adviceOn(plan, selectionArguments(args)),
          ].join(''),
  };
}

/** The command that mends stale files. Without `--force` it keeps files that were edited. */
function adviceOn(plan: Plan, selected: readonly string[]): string {
  const isEdited = plan.some(({ action, found }) => action === 'conflict' && found.kind === 'file');
  const words = ['mcp-codegen', 'generate', ...selected.map(shellWord)];
  return isEdited
    ? `To fix this, move your changes elsewhere, and run: ${[...words, '--force'].join(' ')}\n`
    : `To fix this, run: ${words.join(' ')}\n`;
}

/** Whether the files of a protocol were generated from another schema, which their headers name. */
function hasOtherSchema(name: string, plan: Plan, folder: Folder): boolean {
  return plan.some((step) => {
    if (step.action !== 'update' || !step.path.startsWith(`${name}/`)) return false;
    const before = hashIn(folder.read(step.path));
    return before !== undefined && before !== hashIn(step.text);
  });
}

function hashIn(text: string | undefined): string | undefined {
  return /^\/\/ Schema SHA-256: (\w+)$/m.exec(text ?? '')?.[1];
}

const REASONS: Readonly<Record<Exclude<Step['action'], 'conflict' | 'skip'>, string>> = {
  create: 'is missing',
  update: 'is out of date',
  delete: 'is no longer wanted',
};

function reasonOf({ action, reason }: Step): string {
  return action === 'conflict' || action === 'skip' ? (reason ?? '') : REASONS[action];
}

/** Compares the locks of the configuration with their servers. */
async function checkLocks(locks: readonly ConfiguredLock[], io: Io): Promise<Report> {
  const lockings = locks.map((lock) => lockingOf(lock, { noInput: true }));
  const help = 'To check without the servers, add --offline.';
  const found = await compareAll(lockings, io, { help });
  return await lockReport(found, { failOn: 'text', format: 'text', version: packageVersion() });
}

/** Two reports as one. Stale files and locks come before other problems. */
function together(one: Report, other: Report): Report {
  const codes: readonly ExitCode[] = [EXIT.stale, EXIT.invalid, EXIT.done];
  return {
    exitCode: codes.find((code) => [one.exitCode, other.exitCode].includes(code)) ?? one.exitCode,
    data: { ...one.data, ...other.data },
    diagnostics: [...(one.diagnostics ?? []), ...(other.diagnostics ?? [])],
    text: (paint) => one.text(paint) + other.text(paint),
  };
}
