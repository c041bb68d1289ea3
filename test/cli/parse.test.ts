import { describe, expect, it } from 'vitest';
import type { OptionTable } from '../../cli/command.js';
import { COMMANDS, TOPICS } from '../../cli/commands.js';
import type { CommandEntry } from '../../cli/commands.js';
import { UsageError } from '../../cli/exit.js';
import { COMMON_OPTIONS, parseCommandLine } from '../../cli/parse.js';
import { sampled } from '../support/size.js';

const entries = COMMANDS.flatMap((each): { words: string; entry: CommandEntry }[] =>
  'commands' in each
    ? each.commands.map((entry) => ({ words: `${each.usage} ${entry.usage}`, entry }))
    : [{ words: each.usage, entry: each }],
);

/** Every command with its options, and words that it accepts. */
const commands = await Promise.all(
  entries.map(async ({ words, entry }) => {
    const { options, positionals } = await entry.load();
    const given = words.split(' ').flatMap((word) => {
      if (word.startsWith('[')) return [];
      const choice = positionals[word.replaceAll(/[<>.]/g, '')]?.choices?.[0];
      return word.startsWith('<') ? [String(choice ?? '2025-11-25')] : [word];
    });
    const table: OptionTable = { ...COMMON_OPTIONS, ...options };
    return { given, options: table };
  }),
);

const refusal = async (argv: readonly string[]): Promise<string> => {
  const error = await parseCommandLine(argv, 80).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof UsageError)) throw new Error(`${argv.join(' ')}: ${String(error)}`);
  return `${error.message} ${error.help ?? ''}`;
};

describe('the overview', () => {
  it('has every command once, in a line of 80 columns, with an example of each topic', async () => {
    const names = COMMANDS.map(({ usage }) => usage.split(' ')[0]);
    expect(TOPICS.flatMap((topic) => topic.commands).sort()).toEqual([...names].sort());
    const overview = await parseCommandLine(['--help'], 80);
    const lines = overview.kind === 'print' ? overview.text.split('\n') : [];
    for (const { usage, summary } of COMMANDS) {
      const [name = ''] = usage.split(' ');
      const line = lines.find((each) => each.trimStart().startsWith(`${name} `)) ?? '';
      expect(line).toContain(summary);
      expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  it.each(TOPICS.map(({ example }) => [example]))('shows %s, which parses', async (example) => {
    expect(await parseCommandLine(example.split(' '), 80)).toMatchObject({ kind: 'run' });
  });
});

const flags = commands.flatMap(({ given, options }) =>
  Object.entries(options).flatMap(([name, { type }]) =>
    type === 'boolean' ? [[[...given, `--${name}`].join(' ')] as const] : [],
  ),
);
const texts = commands.flatMap(({ given, options }) =>
  Object.entries(options).flatMap(([name, { type, mayBeEmpty }]) =>
    type === 'string' && !mayBeEmpty ? [[[...given, `--${name}`].join(' ')] as const] : [],
  ),
);

describe('an option without a value', () => {
  it.each(flags)('%s', async (line) => {
    const words = line.replace('--show', '--report page.html --show').split(' ');
    const flag = words.at(-1) ?? '';
    for (const value of sampled(['1', '0', 'yes', 'no', '', 'True', 'a=b'], 1)) {
      const message = await refusal([...words.slice(0, -1), `${flag}=${value}`]);
      expect(message).toBe(
        `${flag} takes no value, and got ${JSON.stringify(value)}. Use ${flag}.`,
      );
    }
    const call = await parseCommandLine([...words.slice(0, -1), `${flag}=false`], 80);
    expect(call.kind).toBe('run');
  });

  it('may be written in camel case', async () => {
    expect(await refusal(['generate', '--dryRun=1'])).toContain('--dry-run takes no value');
    expect(await refusal(['new', 'server', 'x', '--noInput=1'])).toContain('--no-input takes no');
  });

  it('belongs to another program after --', async () => {
    const call = await parseCommandLine(['tools', '--', 'node', 'x.js', '--json=1', '--out='], 80);
    expect(call).toMatchObject({ args: { server: ['node', 'x.js', '--json=1', '--out='] } });
  });
});

describe('an option with a value', () => {
  it.each(texts)('%s refuses an empty one', async (line) => {
    const words = line.split(' ');
    const name = words.at(-1) ?? '';
    for (const empty of [[name, ''], [`${name}=`]]) {
      // Choices are checked before, and quote the value as well.
      expect(await refusal([...words.slice(0, -1), ...empty])).toMatch(
        new RegExp(`^(?:${name} needs a value[,.]|Unknown value "" for ${name})`),
      );
    }
  });
});

it('that needs another option names it', async () => {
  expect(await refusal(['validate', 'x', '--show-secrets'])).toBe(
    '--show-secrets needs --report. Add --report, or remove --show-secrets.',
  );
});

describe('an unknown option', () => {
  it.each([
    [['list', '-x'], 'Unknown option "-x".'],
    [['list', '--x'], 'Unknown option "--x".'],
    [['list', '--x=1'], 'Unknown option "--x".'],
    [['list', '-x=1'], 'Unknown option "-x".'],
    [['generate', '--ouput', 'x'], 'Unknown option "--ouput". Did you mean --out?'],
    [['new', 'server', '--', '--yes'], 'Unexpected argument "--yes".'],
    [['new', 'server', 'a', 'b'], 'Unexpected argument "b".'],
  ])('%j is quoted as it was written', async (argv, message) => {
    expect(await refusal(argv)).toContain(message);
  });
});
