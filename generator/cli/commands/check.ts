import { printable } from '../../diagnostics/index.js';
import { EMITS } from '../../emit/index.js';
import { generate } from '../../pipeline.js';
import { diskFolder, staleFiles } from '../../write/index.js';
import type { Step } from '../../write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';
import {
  select,
  selectionArguments,
  SELECTION_OPTIONS,
  SELECTION_POSITIONALS,
} from '../selection.js';
import { readSelectedTools } from '../tools-selection.js';
import { shellWord } from '../shell.js';

export const checkCommand = defineCommand({
  examples: [
    ['check', 'as in mcp-codegen.json, or all revisions'],
    ['check 2025-11-25 --out src/mcp', 'one revision'],
    ['check --json', 'for scripts; exit code 4 when a file is out of date'],
  ],
  values: { emit: EMITS },
  positionals: SELECTION_POSITIONALS,
  options: { ...SELECTION_OPTIONS, ...JSON_OPTION },
  run: async (args, io) => {
    const { out, shownOut, tools, inputs, ...selection } = select(args, io.cwd);
    const folder = diskFolder(out);
    const { plan, diagnostics } = await generate({
      ...selection,
      inputs: [...inputs, ...(await readSelectedTools(tools, { ...io, out, asks: false }))],
      folder,
      force: false,
    });
    const stale = staleFiles(plan).map((step) => ({ path: step.path, reason: reasonOf(step) }));
    const broken = diagnostics.some(({ severity }) => severity === 'error');
    return {
      exitCode: stale.length > 0 ? EXIT.stale : broken ? EXIT.invalid : EXIT.done,
      diagnostics,
      data: { out: shownOut, stale },
      text: (paint) =>
        stale.length === 0
          ? `Up to date: ${String(plan.length - 1)} files in ${printable(shownOut)}.\n`
          : [
              ...stale.map(
                ({ path, reason }) =>
                  `${paint.red('stale')}  ${printable(`${shownOut}/${path}`)} ${reason}\n`,
              ),
              `To fix this, run: ${['mcp-codegen', 'generate', ...selectionArguments(args).map(shellWord)].join(' ')}\n`,
            ].join(''),
    };
  },
});

const REASONS: Readonly<Record<Exclude<Step['action'], 'conflict' | 'skip'>, string>> = {
  create: 'is missing',
  update: 'is out of date',
  delete: 'is no longer wanted',
};

function reasonOf({ action, reason }: Step): string {
  return action === 'conflict' || action === 'skip' ? (reason ?? '') : REASONS[action];
}
