import { printableLines } from '../../generator/diagnostics/index.js';
import { printable } from '../../json-schema/text.js';
import { planUpdate } from '../../generator/plan/project.js';
import type { Update } from '../../generator/plan/project.js';
import { RUNTIME } from '../../generator/scaffold/index.js';
import type { CodeChange, Outdated } from '../../generator/scaffold/index.js';
import { diskFolder } from '../../generator/write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import type { Io, Terminal } from '../io.js';
import { planAndApply, reportPlan } from '../plan.js';
import { askWhether } from '../prompts.js';
import { checkRuntime } from '../runtime-option.js';

export const updateCommand = defineCommand({
  examples: [
    ['update', `use the ${RUNTIME} that comes with this version of mcp-codegen`],
    ['update --fix', 'and change the imports in your code that have moved'],
    ["update --runtime '^1.0.0'", 'use a version from the registry'],
    ['update --dry-run', 'show what would change'],
  ],
  positionals: {},
  options: {
    runtime: {
      type: 'string',
      requiresArg: true,
      describe: `Versions of ${RUNTIME} on the registry, its path or URL (default: the one of this mcp-codegen)`,
    },
    fix: { type: 'boolean', describe: 'Change your code where that is safe' },
    'no-input': { type: 'boolean', describe: 'Never prompt' },
    'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    checkRuntime(args.runtime);
    const dryRun = args.dryRun ?? false;
    const isSilent = dryRun || (args.noInput ?? false) || (args.json ?? false);
    const planned = (fix: boolean, folder = diskFolder(io.cwd)): Promise<Update> =>
      planUpdate({ folder, runtime: args.runtime, fix });
    const given = args.fix ?? false;
    const first = await planned(given);
    const fix = given || (!isSilent && (await wantsFix(first.code, io)));
    const { plan, outdated, code, changes, dockerfile } = await planAndApply(
      io.cwd,
      dryRun,
      (folder) => planned(fix, folder),
    );
    const data = {
      outdated,
      code: code.map(({ isFixed, ...each }) => ({ ...each, fixed: isFixed && fix && !dryRun })),
      changes,
    };
    const report = reportPlan({ plan, diagnostics: [], out: '.', dryRun, data });
    return {
      ...report,
      text: (paint) =>
        [
          codeText(code, fix),
          report.text(paint),
          ...outdated.map(advice),
          ...(dockerfile ? [dockerfileAdvice(dockerfile)] : []),
          ...(changes ? [`\nWhat changed:\n\n${printableLines(changes)}\n`] : []),
        ].join(''),
    };
  },
});

/** Asks at a terminal whether to change the user's code, after showing where. */
async function wantsFix(code: readonly CodeChange[], { terminal }: Io): Promise<boolean> {
  const count = code.filter(({ isFixed }) => isFixed).length;
  if (count === 0 || !terminal) return false;
  show(code, terminal);
  return await askWhether(`Change ${places(count)} in your code?`, terminal);
}

function show(code: readonly CodeChange[], { output }: Terminal): void {
  for (const each of code) output.write(lineOf(each));
}

/** What the user's code needs, and what of it is left to do. */
function codeText(code: readonly CodeChange[], fix: boolean): string {
  const left = code.filter(({ isFixed }) => !isFixed || !fix);
  if (left.length === 0) return '';
  const fixable = left.filter(({ isFixed }) => isFixed).length;
  const help = fixable === 0 ? '' : `update --fix changes ${places(fixable)} of these.\n`;
  return `Your code needs changes:\n${left.map(lineOf).join('')}${help}\n`;
}

function lineOf({ path, line, column, message }: CodeChange): string {
  return `${printable(path)}:${String(line)}:${String(column)}: ${printable(message)}\n`;
}

function places(count: number): string {
  return count === 1 ? 'one place' : `${String(count)} places`;
}

function dockerfileAdvice({ line, isMissing }: NonNullable<Update['dockerfile']>): string {
  return isMissing
    ? `Dockerfile does not copy vendor/, where packages come from: add "${line}" before it installs.\n`
    : `Dockerfile copies vendor/, which no longer exists: delete its line "${line}".\n`;
}

function advice({ name, wanted, found }: Outdated): string {
  return `${RUNTIME} needs ${name} ${wanted}, but package.json has ${printable(found)}: change it.\n`;
}
