import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type Finding,
  DEFAULT_HOSTS,
  findingsAsSarif,
  findingsAsText,
  HOSTS,
  lintTools,
  ruleNames,
  verdictsAsText,
  verdictsOf,
} from '../../contracts/lint/index.js';
import { fileText, many } from '../../generator/diagnostics/index.js';
import { nearest } from '../../json-schema/nearest.js';
import { quote } from '../../json-schema/text.js';
import { packageVersion } from '../../generator/read/load/version.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { assertReadable } from '../input.js';
import type { Io } from '../io.js';
import { locationOf } from '../server-location.js';
import { secondsOf } from '../timeout.js';

const text = { type: 'string', requiresArg: true } as const;
const RULES = ruleNames();
const IDS = HOSTS.map(({ id }) => id);

export const lintCommand = defineCommand({
  examples: [
    ['lint tools.json', 'the answer to tools/list in a file'],
    ['lint dist/tools/index.js', 'a module that exports tools'],
    ['lint -- node dist/main.js', 'of a server that this command starts'],
    ['lint https://example.com/mcp --host claude', 'of a running server, for one host'],
    ['lint tools.json --all', 'each place, and what shows the rule'],
    ['lint tools.json --sarif > lint.sarif', 'for code scanning; exit code 4 for findings'],
  ],
  positionals: {
    subject: {
      type: 'string',
      array: true,
      describe: 'A file, a module, a URL, or after "--" the command that starts a server',
    },
  },
  verbatim: 'subject',
  options: {
    host: {
      choices: IDS,
      array: true,
      nargs: 1,
      requiresArg: true,
      describe: 'Only these hosts (default: all but openai-strict); may be repeated',
    },
    ignore: {
      ...text,
      array: true,
      nargs: 1,
      describe:
        'A rule to leave out: claude/root-keyword, or root-keyword for every host; may be repeated',
    },
    portable: {
      type: 'boolean',
      describe: "The tools of a module as a server with schemas: 'portable' lists them",
    },
    all: { type: 'boolean', describe: 'Each place, and what shows the rule' },
    sarif: { type: 'boolean', describe: 'SARIF 2.1.0 on stdout', conflicts: 'json' },
    header: {
      ...text,
      array: true,
      nargs: 1,
      describe: 'An HTTP header for the URL, "Name: value"; may be repeated',
    },
    timeout: { ...text, describe: 'Seconds to wait for a server (default: 30)' },
    ...JSON_OPTION,
  },
  run: async (args, io) => {
    const { ignore = [] } = args;
    for (const name of ignore) assertRule(name);
    const { tools, file } = await toolsOf(args, io);
    const hosts = args.host ?? DEFAULT_HOSTS;
    const findings = lintTools(tools, { hosts, ignore });
    const verdicts = verdictsOf(findings, hosts);
    const sarif = args.sarif === true ? await sarifOf(findings, file, io) : undefined;
    const summary = `${many(tools.length, 'tool')}, ${many(findings.length, 'finding')}\n`;
    const isSure = findings.some(({ effect }) => effect !== 'reported');
    return {
      exitCode: isSure ? EXIT.stale : EXIT.done,
      data: { hosts, tools: tools.length, verdicts, findings },
      text: (paint) =>
        sarif ??
        [
          findingsAsText(findings, paint, { all: args.all === true }),
          verdictsAsText(verdicts, paint),
          summary,
        ]
          .filter((part) => part !== '')
          .join('\n'),
    };
  },
});

/** Tools of a server are placed in its lock, if there is one: code scanning takes no findings without a file. */
async function sarifOf(
  findings: readonly Finding[],
  named: string | undefined,
  io: Io,
): Promise<string> {
  const { DEFAULT_LOCK } = await import('../config/index.js');
  const lock = existsSync(resolve(io.cwd, DEFAULT_LOCK)) ? DEFAULT_LOCK : undefined;
  const path = named ?? lock;
  const file = path && { file: path, text: await readFile(resolve(io.cwd, path), 'utf8') };
  const log = findingsAsSarif(findings, { file: file || undefined, version: packageVersion() });
  return `${JSON.stringify(log, null, 2)}\n`;
}

function assertRule(name: string): void {
  if (RULES.includes(name)) return;
  const meant = nearest(name, RULES);
  throw new UsageError(
    `There is no rule ${quote(name)}.`,
    meant === undefined ? `Known: ${RULES.join(', ')}.` : `Did you mean ${meant}?`,
  );
}

interface Listed {
  readonly tools: readonly unknown[];
  /** The file of the tools, as it was named. */
  readonly file: string | undefined;
}

async function toolsOf(
  args: {
    readonly subject: readonly string[] | undefined;
    readonly header: readonly string[] | undefined;
    readonly timeout: string | undefined;
    readonly portable: boolean | undefined;
  },
  io: Io,
): Promise<Listed> {
  const [first = '', ...rest] = args.subject ?? [];
  const isFile = rest.length === 0 && !first.includes('://');
  const isModule = isFile && /\.[cm]?[jt]s$/.test(first);
  if (args.portable === true && !isModule) {
    throw new UsageError('--portable is for a module of tools.', 'Remove --portable.');
  }
  if (isFile && first.endsWith('.jsonl')) {
    throw new UsageError(
      `${quote(first)} is a recording, not a list of tools.`,
      'Give a .json file with the answer to tools/list.',
    );
  }
  if (isFile && first.endsWith('.json')) return { tools: await listFile(first, io), file: first };
  if (isModule) {
    const { listModule } = await import('../tools-module.js');
    return { tools: await listModule(resolve(io.cwd, first), args.portable === true), file: first };
  }
  if (first === '') {
    throw new UsageError(
      'Nothing to examine is given.',
      'Name a file, a module or a URL, or give -- and the command that starts a server.',
    );
  }
  const { listTools } = await import('../client/connect/index.js');
  const timeout = secondsOf(args.timeout) * 1000;
  const location = locationOf({ server: args.subject, header: args.header }, io);
  const { tools } = await listTools(location, {
    timeout,
    version: packageVersion(),
    notice: io.notice,
  });
  return { tools, file: undefined };
}

async function listFile(path: string, io: Io): Promise<readonly unknown[]> {
  const { parseToolList } = await import('../../generator/tools/index.js');
  assertReadable([path], io.cwd);
  return parseToolList(fileText(await readFile(resolve(io.cwd, path)), path), path);
}
