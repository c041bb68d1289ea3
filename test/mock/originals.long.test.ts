import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it } from 'vitest';
import { installed, newerNode } from '../../scripts/newer-node.js';
import { compiled } from '../support/program.js';
import { sized } from '../support/size.js';
import { type Original, originalsIn } from './originals.js';
import {
  NODE,
  overHttp,
  overPipes,
  playing,
  type Recorder,
  recording,
  throughHttp,
} from './recorded-processes.js';
import { temporaryFolder } from './support.js';
import { SURVEYS } from './survey.js';
import { TALKS, withoutChance } from './talks.js';

/**
 * A server, a mock of its recording, and a mock of that mock's recording answer alike. All are processes, and the
 * recordings are made by `mcp-codegen record`.
 */

const run = promisify(execFile);
const EXAMPLE = compiled(new URL('example.ts', import.meta.url));

async function expectAlike(server: readonly string[], recorder: Recorder): Promise<void> {
  const folder = temporaryFolder();
  const fileOf = (name: string): string => join(folder, `${name}.jsonl`);
  async function seen(program: readonly string[], name: string): Promise<unknown> {
    const answers = withoutChance(await recorder(program, fileOf(name)));
    return { answers, progress: progressIn(fileOf(name)) };
  }
  const original = await seen(server, 'original');
  expect(await seen(playing(fileOf('original')), 'mock')).toEqual(original);
  expect(await seen(playing(fileOf('mock')), 'mock of the mock')).toEqual(original);
}

interface Line {
  readonly message: { readonly method?: string; readonly params?: Record<string, unknown> };
}

/** The progress that a server sent. Its tokens are those of the client. */
function progressIn(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as Line).message)
    .filter(({ method }) => method === 'notifications/progress')
    .map(({ params: { progressToken: _own, ...params } = {} }) => params);
}

/** The memory server keeps its graph in a file. */
function environment(folder: string): Record<string, string> {
  return { ...getDefaultEnvironment(), MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
}

describe.each(Object.entries(TALKS))('the example server, for %s', (_, talk) => {
  it('over pipes', () => expectAlike([EXAMPLE], overPipes(talk, getDefaultEnvironment())));
  it('over HTTP', () => expectAlike([EXAMPLE], overHttp(throughHttp(talk))));
});

const NAMES = Object.keys(originalsIn(''));

async function prepared(name: string) {
  const folder = temporaryFolder();
  const original = originalsIn(folder)[name] as Original;
  return { original, server: await original.program(), env: environment(folder) };
}

describe.each(NAMES)('the server "%s"', (name) => {
  it.each(Object.entries(SURVEYS))('for %s', async (_, survey) => {
    const { original, server, env } = await prepared(name);
    await expectAlike(
      server,
      overPipes((transport) => survey(transport, original), env),
    );
  });
});

describe('the Inspector', () => {
  let node: string;
  let launcher: string;
  beforeAll(async () => {
    node = await newerNode();
    const folder = await installed('inspector', '@modelcontextprotocol/inspector', '2.12.0');
    launcher = join(folder, 'clients', 'launcher', 'build', 'index.js');
  });

  /** What the Inspector prints, also when a tool fails. */
  async function inspect(args: readonly string[], env: Record<string, string>): Promise<unknown> {
    const all = [launcher, '--cli', '--format', 'json', ...args];
    return run(node, all, { env }).then(
      ({ stdout }) => stdout,
      (error: unknown) => (error as { stdout: string }).stdout,
    );
  }

  /** Some of the questions, spread over all kinds: each starts the Inspector, which starts the server. */
  function someOf(questions: readonly string[][]): string[][] {
    const step = Math.ceil(questions.length / sized(5));
    return questions.filter((_, index) => index % step === 0);
  }

  function inspections({ calls, prompts, resources }: Original): string[][] {
    const pairs = (values: object): string[] =>
      Object.entries(values).map(
        ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      );
    const [call] = calls;
    const all = [
      ['tools/list'],
      [
        'tools/call',
        '--tool-name',
        String(call?.[0]),
        ...given('--tool-arg', pairs(call?.[1] ?? {})),
      ],
      ['tools/call', '--tool-name', 'missing'],
      ...(prompts.length > 0 ? [['prompts/list']] : []),
      ...prompts.map(([each, args]) => [
        'prompts/get',
        '--prompt-name',
        each,
        ...given('--prompt-args', pairs(args)),
      ]),
      ...(resources.length > 0 ? [['resources/list'], ['resources/templates/list']] : []),
      ...resources.map((uri) => ['resources/read', '--uri', uri]),
    ].map((words) => ['--method', ...words]);
    return someOf(all);
  }

  function given(option: string, values: readonly string[]): string[] {
    return values.length > 0 ? [option, ...values] : [];
  }

  it.each(NAMES)('of the server "%s" over pipes', async (name) => {
    const { original, server, env: own } = await prepared(name);
    const env = { ...own, MCP_CATALOG_PATH: join(temporaryFolder(), 'catalog.json') };
    await expectAlike(server, async (command, file) => {
      const seen: unknown[] = [];
      for (const words of inspections(original)) {
        seen.push(await inspect([...words, '--', NODE, ...recording(file, command)], env));
      }
      expect(seen.join('')).toContain('"result"');
      return seen;
    });
  });

  it.each(['legacy', 'modern'])('of the example server over HTTP, %s', async (era) => {
    const { original, env: own } = await prepared('example');
    const env = { ...own, MCP_CATALOG_PATH: join(temporaryFolder(), 'catalog.json') };
    await expectAlike(
      [EXAMPLE],
      overHttp(async ({ href }) => {
        const seen: unknown[] = [];
        for (const words of inspections(original)) {
          const target = ['--server-url', href, '--transport', 'http', '--protocol-era', era];
          seen.push(await inspect([...words, ...target], env));
        }
        expect(seen.join('')).toContain('"result"');
        return seen;
      }),
    );
  });
});
