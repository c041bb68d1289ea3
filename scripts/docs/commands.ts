import type { Options } from 'yargs';
import type { Command } from '../../cli/command.js';
import { COMMANDS } from '../../cli/commands.js';
import type { CommandEntry } from '../../cli/commands.js';
import { EXIT } from '../../cli/exit.js';
import { COMMON_OPTIONS } from '../../cli/parse.js';
import { code, table } from './markdown.js';

const INTRO = `# Commands and their options

Every command of \`mcp-codegen\`, written by \`npm run docs\` from the definitions that the command line parses.
\`mcp-codegen <command> --help\` prints the same. Results go to stdout, and messages to stderr.
`;

/** By code, so that a new exit code without a meaning does not compile. */
const MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  internal: 'internal error: please report it, with the output of `--debug`',
  usage:
    'wrong usage: an unknown option, a file that cannot be read, a folder that cannot be written',
  invalid:
    'a bad schema or message; a URL or a server that gives none, or that cannot be reached; a login that fails; with `diff --exit-code`, schemas that differ',
  stale: 'generated files or a lock are out of date, or `lint` has findings',
  conflict: 'a conflict with files that you edited, or that another project owns',
  refused: 'the tool failed, or the server refused the request',
  gone: 'the task was cancelled, has expired or took too long',
  interrupted: 'interrupted with Ctrl-C',
};

/** The text of `docs/commands.md`. */
export async function commandsPage(): Promise<string> {
  const sections: string[] = [];
  for (const each of COMMANDS) {
    if (!('commands' in each)) sections.push(await section('', each));
    else for (const inner of each.commands) sections.push(await section(`${each.usage} `, inner));
  }
  const common = Object.entries<Options>(COMMON_OPTIONS).filter(([, { hidden }]) => !hidden);
  return [
    INTRO,
    ...sections,
    '## Every command',
    table(
      ['option', 'what it does'],
      [
        ...common.map(([name, { describe = '' }]) => [code(`--${name}`), describe]),
        [code('--help, -h'), 'The command, its options and examples'],
        [code('--version, -v'), 'The version'],
      ],
    ),
    '## Exit codes',
    table(
      ['exit code', 'meaning'],
      Object.entries(MEANINGS).map(([name, meaning]) => [
        String(EXIT[name as keyof typeof EXIT]),
        meaning,
      ]),
    ),
  ].join('\n');
}

async function section(prefix: string, { usage, summary, load }: CommandEntry): Promise<string> {
  const command = await load();
  const positionals = Object.entries(command.positionals).map(([name, { choices, describe }]) => [
    code(name),
    ...meaning(describe ?? '', [...(choices ?? command.values?.[name] ?? [])].map(String)),
  ]);
  const options = Object.entries(command.options)
    .filter(([, { hidden }]) => !hidden)
    .map(([name, option]) => [code(`--${name}`), ...meaningOf(name, option, command)]);
  return [
    `## \`${prefix}${usage}\`\n\n${summary}.\n`,
    table(
      ['example', ''],
      command.examples.map(([line, what]) => [code(`mcp-codegen ${line}`), what]),
    ),
    ...(positionals.length > 0
      ? [table(['argument', 'what it is', 'values', 'default'], positionals)]
      : []),
    ...(options.length > 0
      ? [table(['option', 'what it does', 'values', 'default'], options)]
      : []),
  ].join('\n');
}

function meaningOf(name: string, option: Options, { values = {} }: Command): string[] {
  const { choices = values[name] ?? [], describe = '', conflicts, type } = option;
  const isFlag = type === 'boolean';
  const excluded = [conflicts ?? []].flat().filter((each) => typeof each === 'string');
  const [what = '', known = '', preset = ''] = meaning(
    describe,
    isFlag ? [] : [...choices].map(String),
  );
  const free = isFlag || known !== '' ? known : 'text';
  const without = excluded.map((other) => code(`--${other}`)).join(', ');
  return [without === '' ? what : `${what}; not with ${without}`, free, preset];
}

/** Separates the values and the default from a description, because here they have columns of their own. */
function meaning(describe: string, choices: readonly string[]): string[] {
  const [, rest = describe, preset = ''] = /^(.*?) \(default: (.*)\)$/.exec(describe) ?? [];
  const listed = ['|', ','].flatMap((by) => [': any of ', ': '].map((to) => to + choices.join(by)));
  const list = choices.length > 0 ? listed.find((each) => rest.endsWith(each)) : undefined;
  const what = list === undefined ? rest : rest.slice(0, -list.length);
  return [what, choices.map(code).join(', '), preset];
}
