import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { CONFIG_FILE, DEFAULT_LOCK } from '../config/index.js';
import { printable } from '../../json-schema/text.js';
import type { Paint } from '../../generator/diagnostics/index.js';
import { packageVersion } from '../../generator/read/load/version.js';
import { CONNECTION_OPTIONS, SERVER_COMMAND, serverNames } from '../calling.js';
import type { CallingArguments } from '../calling.js';
import { defineCommand } from '../command.js';
import type { Report } from '../command.js';
import { configuredLocks, readConfigFile } from '../config-file.js';
import { EXIT, UsageError } from '../exit.js';
import { insideProject } from '../inside.js';
import type { Io } from '../io.js';
import { lockReport } from '../lock-report.js';
import type { LockFormat } from '../lock-report.js';
import {
  FAIL_ON,
  compareAll,
  compareLock,
  lockingOf,
  promisesOf,
  replacedLock,
  sayPromises,
  shownPath,
  writeLock,
} from '../locks.js';
import type { Asked, FailOn, Locking } from '../locks.js';
import { assertTrusted, TRUST_OPTIONS } from '../project-trust.js';
import type { TrustArguments } from '../project-trust.js';
import { contentsIn } from '../selection.js';

const text = { type: 'string', requiresArg: true } as const;

export const lockCommand = defineCommand({
  examples: [
    ['lock -- npx my-server', `write ${DEFAULT_LOCK}: what this server promises`],
    ['lock https://example.com/mcp --out prod.lock.json', 'of a running server'],
    ['lock --check -- npx my-server', 'compare; exit code 4 for changes that matter'],
    ['lock --capabilities none -- npx my-server', 'as a client that declares nothing sees it'],
    ['lock --check', `the locks that ${CONFIG_FILE} names`],
    ['lock --check new.lock.json --out old.lock.json', 'two locks, without a server'],
    ['lock --check prod --fail-on breaking --sarif > lock.sarif', 'for code scanning'],
  ],
  positionals: {
    server: {
      type: 'string',
      describe: `URL or name of a server, or another lock file (default: those in ${CONFIG_FILE})`,
    },
  },
  verbatim: SERVER_COMMAND,
  valuesIn: { server: serverNames },
  options: {
    check: { type: 'boolean', describe: 'Compare the server with the lock, and write nothing' },
    out: { ...text, describe: `The lock file (default: ${DEFAULT_LOCK})`, alias: 'lock' },
    'fail-on': {
      choices: FAIL_ON,
      requiresArg: true,
      describe:
        'The least change that --check ends with 4 for: breaking (and unclear), text, any (default: text)',
    },
    revision: {
      ...text,
      describe: 'The revision to ask in (default: that of the lock, else the newest)',
    },
    capabilities: {
      ...text,
      describe:
        'What the client declares: names of elicitation, sampling, roots, tasks with commas between them, none, or JSON (default: as for the lock that there is, else all)',
    },
    config: { ...text, describe: `The configuration file (default: ./${CONFIG_FILE})` },
    sarif: { type: 'boolean', describe: 'SARIF 2.1.0 on stdout', conflicts: ['json', 'markdown'] },
    markdown: { type: 'boolean', describe: 'Markdown on stdout', conflicts: 'json' },
    ...TRUST_OPTIONS,
    ...CONNECTION_OPTIONS,
  },
  run: async (args, io) => {
    const lockings = await lockingsOf(args, io);
    const format = args.sarif === true ? 'sarif' : args.markdown === true ? 'markdown' : 'text';
    return args.check === true
      ? await check(lockings, { ...args, format }, io)
      : await write(lockings, format, args, io);
  },
});

interface LockArguments extends CallingArguments, TrustArguments {
  readonly check?: boolean | undefined;
  readonly out?: string | undefined;
  readonly config?: string | undefined;
}

/** The lock of the command line, else those of the configuration. @throws {UsageError} */
async function lockingsOf(args: LockArguments, io: Io): Promise<Locking[]> {
  const { cwd, env } = io;
  const { server, command = [], out, config } = args;
  const usual = { path: DEFAULT_LOCK, source: DEFAULT_LOCK };
  const file = out === undefined ? insideProject(cwd, usual) : resolve(cwd, out);
  if (server !== undefined && command.length === 0 && isLockFile(server, cwd)) {
    if (args.check === true) return [{ file, from: { lock: resolve(cwd, server) } }];
    throw new UsageError(
      'A lock file is given in place of a server.',
      'Add --check to compare both.',
    );
  }
  if (server !== undefined || command.length > 0)
    return [{ file, from: { server: args, folder: cwd } }];
  const path = resolve(cwd, config ?? CONFIG_FILE);
  const settings = readConfigFile(path, config, cwd);
  const [folder, source] = [dirname(path), relative(cwd, path)];
  const configured = settings ? configuredLocks(settings, { folder, source }) : [];
  const chosen = configured.filter((lock) => out === undefined || lock.file === file);
  if (settings && chosen.length > 0) {
    const { inputs, tools } = contentsIn(settings, { folder, source, cwd });
    const project = { file: source, folder, inputs, tools, locks: configured };
    await assertTrusted(project, ['locks'], args, io);
    return chosen.map((lock) => lockingOf(lock, args));
  }
  if (env['MCP_SERVER']) return [{ file, from: { server: args, folder: cwd } }];
  throw new UsageError(
    'No server is given.',
    `Give a URL, a name, or -- and the command that starts one; or name "locks" in ${CONFIG_FILE}.`,
  );
}

function isLockFile(written: string, cwd: string): boolean {
  return /\.json$/i.test(written) && !written.includes('://') && existsSync(resolve(cwd, written));
}

interface CheckOptions extends Asked {
  readonly failOn: FailOn | undefined;
  readonly format: LockFormat;
}

async function check(
  lockings: readonly Locking[],
  { failOn = 'text', format, revision, capabilities }: CheckOptions,
  io: Io,
): Promise<Report> {
  const asked = { revision, capabilities };
  const [only, ...others] = lockings;
  // The error of a single lock is that of the command.
  const found =
    only && others.length === 0
      ? { compared: [await compareLock(only, io, asked)], diagnostics: [] }
      : await compareAll(lockings, io, asked);
  return await lockReport(found, { failOn, format, version: packageVersion() });
}

async function write(
  lockings: readonly Locking[],
  format: LockFormat,
  { revision, capabilities }: Asked,
  io: Io,
): Promise<Report> {
  const { changesAsText, compareLocks, printLock, sayCounts } =
    await import('../../contracts/lock/index.js');
  if (format !== 'text') {
    throw new UsageError(`--${format} needs --check.`, `Add --check, or remove --${format}.`);
  }
  const written: { file: string; text: (paint: Paint) => string; data: object }[] = [];
  for (const { file, from } of lockings) {
    const before = await replacedLock(file, io);
    // What is written again is asked by a client of the same capabilities.
    const known = before?.clientCapabilities && before;
    const after = await promisesOf(from, io, { revision, capabilities, before: known });
    const changes = before ? compareLocks(before, after) : [];
    const isSame = before !== undefined && printLock(before) === printLock(after);
    if (!isSame) await writeLock(file, after);
    const shown = printable(shownPath(file, io));
    const what = `${isSame ? 'Unchanged' : 'Wrote'} ${shown}: ${sayPromises(after)}, revision ${printable(after.revision)}`;
    const counts = changes.length === 0 ? '' : `; since the lock before: ${sayCounts(changes)}`;
    written.push({
      file: shown,
      text: (paint) => `${changesAsText(changes, paint)}${what}${counts}.\n`,
      data: { file: shown, written: !isSame, revision: after.revision, changes },
    });
  }
  return {
    exitCode: EXIT.done,
    data: { locks: written.map(({ data }) => data) },
    text: (paint) => written.map((each) => each.text(paint)).join(''),
  };
}
