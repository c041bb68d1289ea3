import { planProject } from '../generator/plan/project.js';
import {
  RUNTIME,
  type Choices,
  type Template,
  featuresIn,
  heldBy,
} from '../generator/scaffold/index.js';
import { printable } from '../json-schema/text.js';
import { applyPlan, conflictsOf, diskFolder, type Plan } from '../generator/write/index.js';
import {
  checkGiven,
  choicesBeforeQuestions,
  findPlace,
  gather,
  type NewArguments,
  type Answers,
} from './answers.js';
import { defineCommand, JSON_OPTION, type Command, type OptionTable } from './command.js';
import { runIn, workspaceOf } from './packages.js';
import { reportPlan } from './plan.js';
import { checkRuntime } from './runtime-option.js';
import { shellWord } from './shell.js';

/** `new <template>`: the template's options are flags, and prompts on a terminal. */
export function newProjectCommand(template: Template, examples: Command['examples']): Command {
  return defineCommand({
    examples,
    values: Object.fromEntries(
      template.options.map((option) => [option.name, option.choices.map(({ value }) => value)]),
    ),
    positionals: { dir: { type: 'string', describe: 'The new folder; "." for the current one' } },
    options: {
      ...flagsOf(template),
      name: {
        type: 'string',
        requiresArg: true,
        describe: "The package's name (default: the folder's)",
      },
      install: { type: 'boolean', describe: 'Install the dependencies' },
      git: { type: 'boolean', describe: 'Create a git repository' },
      yes: { type: 'boolean', describe: 'Use the defaults of all options that are not given' },
      'no-input': { type: 'boolean', describe: 'Never prompt' },
      'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
      force: { type: 'boolean', describe: 'Overwrite existing files' },
      runtime: {
        type: 'string',
        requiresArg: true,
        describe: `Versions of ${RUNTIME} on the registry, its path or URL (default: the one of this mcp-codegen)`,
      },
      ...JSON_OPTION,
    },
    run: async (args, io) => {
      const { force, runtime } = args as { readonly force?: boolean; readonly runtime?: string };
      checkRuntime(runtime);
      // A wrong value is named before anything else that may be missing.
      checkGiven(template, args as NewArguments);
      const place = await findPlace(template, args as NewArguments, io);
      const { name, root, shown } = place;
      const folder = diskFolder(root);
      const workspace = workspaceOf(root);
      const planFor = (choices: Choices): Promise<Plan> =>
        planProject({ template, choices, name, folder, force: !!force, runtime, workspace });
      const run = { diagnostics: [], out: shown, dryRun: !!args['dryRun'] };
      const first = choicesBeforeQuestions(template, args as NewArguments, place, io);
      const inTheWay = first ? conflictsOf(await planFor(first)) : [];
      if (inTheWay.length > 0) return reportPlan({ ...run, plan: inTheWay, data: {} });
      const answers = await gather(template, args as NewArguments, place, io);
      const { choices, git, install } = answers;
      const plan = await planFor(choices);
      const outcome = { ...run, plan };
      if (outcome.dryRun || conflictsOf(plan).length > 0) {
        return reportPlan({ ...outcome, data: { choices } });
      }
      applyPlan(plan, folder);
      const manager = choices['pm']?.[0] ?? 'npm';
      const commands = [
        ...(git ? ['git init --quiet'] : []),
        ...(install ? [`${manager} install`] : []),
      ];
      await runIn(root, commands, io);
      const steps = nextSteps(template, answers);
      const repeat = repeatCommand(template, answers);
      const report = reportPlan({ ...outcome, data: { choices, nextSteps: steps, repeat } });
      return {
        ...report,
        text: (paint) =>
          [
            isNew(plan) ? treeText(shown, plan) : report.text(paint),
            `\n${paint.bold('Next:')}\n`,
            ...steps.map((step) => `  ${step}\n`),
            `\n${paint.bold('To repeat this without prompts:')}\n  ${repeat}\n`,
          ].join(''),
      };
    },
  });
}

/** Whether a plan makes a project where nothing was. */
function isNew(plan: Plan): boolean {
  return plan.every(({ action }) => action === 'create');
}

function treeText(shown: string, plan: Plan): string {
  const files = treeOf(plan.map(({ path }) => path));
  return `${printable(shown)}/\n${files}${String(plan.length)} files created.\n`;
}

function flagsOf({ options }: Template): OptionTable {
  const table: Record<string, OptionTable[string]> = {};
  for (const option of options) {
    const { name, describe, choices, many, isFlag, default: preset } = option;
    const known = choices.map(({ value }) => value);
    const chosen = known.every((value) => preset.includes(value)) ? 'all' : preset.join(',');
    const values = `${known.join(many ? ',' : '|')} (default: ${(option.shownDefault ?? chosen) || 'none'})`;
    table[name] = isFlag
      ? { type: 'boolean', describe }
      : { type: 'string', requiresArg: true, mayBeEmpty: many, describe: `${describe}: ${values}` };
  }
  return table;
}

interface Branch {
  readonly folders: Map<string, Branch>;
  readonly files: string[];
}

const newBranch = (): Branch => ({ folders: new Map(), files: [] });

/** Paths as an indented tree, folders first, each sorted by name. */
function treeOf(paths: readonly string[]): string {
  const root = newBranch();
  for (const path of paths) {
    const folders = path.split('/');
    const file = folders.pop() ?? '';
    let branch = root;
    for (const name of folders) {
      const below = branch.folders.get(name) ?? newBranch();
      branch.folders.set(name, below);
      branch = below;
    }
    branch.files.push(file);
  }
  return linesOf(root, 1).join('');
}

function linesOf({ folders, files }: Branch, depth: number): string[] {
  const indent = '  '.repeat(depth);
  const sorted = [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...sorted.flatMap(([name, branch]) => [
      `${indent}${printable(name)}/\n`,
      ...linesOf(branch, depth + 1),
    ]),
    ...files.toSorted().map((name) => `${indent}${printable(name)}\n`),
  ];
}

/** The next steps with a new project, as commands to type in the current folder. */
function nextSteps(template: Template, answers: Answers): string[] {
  const { choices, shown, install } = answers;
  const pm = choices['pm']?.[0] ?? 'npm';
  const features = featuresIn(template, choices);
  const environment = heldBy(template.environment, features);
  const isTested = template.scripts['test']?.every((each) => features.has(each)) ?? true;
  return [
    ...(shown === '.' ? [] : [`cd ${shellWord(shown)}`]),
    ...(install ? [] : [`${pm} install`]),
    // `bun test` is Bun's own test runner.
    ...(isTested ? [`${pm} run test`] : []),
    `${pm} run build`,
    ...heldBy(template.preparation, features),
    [...environment, template.start].join(' '),
  ];
}

/** The command that creates the same project without prompts. */
function repeatCommand(template: Template, answers: Answers): string {
  const { choices, dir, name, git, install, runtime } = answers;
  const flags = template.options.flatMap(({ name: option, isFlag }) => {
    const chosen = (choices[option] ?? []).join(',');
    if (isFlag) return chosen === option ? [`--${option}`] : [];
    return chosen === '' ? [`--${option}=`] : [`--${option}`, chosen];
  });
  return [
    'npx',
    'mcp-codegen',
    'new',
    template.name,
    shellWord(dir),
    '--name',
    name,
    ...flags,
    ...(runtime === undefined ? [] : ['--runtime', shellWord(runtime)]),
    ...(git ? ['--git'] : []),
    ...(install ? ['--install'] : []),
    '--no-input',
  ].join(' ');
}
