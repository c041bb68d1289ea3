import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type * as ClientRoom from './client/index.js';
import type { Given, Kind, CommandResult, CommandContext, Settings } from './client/index.js';
import { quote } from '../json-schema/text.js';
import { packageVersion } from '../generator/read/load/version.js';
import type { OptionTable, Report } from './command.js';
import { JSON_OPTION } from './command.js';
import { CommandFailure, EXIT, UsageError } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import { locationOf, parseHeader } from './server-location.js';

/** The commands that call servers: their options, and the way from an outcome to a report. */

const text = { type: 'string', requiresArg: true } as const;
const list = { ...text, array: true, nargs: 1 } as const;

/** For a server that a command connects to. */
export const CONNECTION_OPTIONS = {
  token: {
    ...text,
    describe: 'A bearer token for the server; better: MCP_TOKEN',
    conflicts: 'token-env',
  },
  'token-env': { ...text, describe: 'The environment variable that contains the token' },
  header: { ...list, describe: 'An HTTP header for the URL, "Name: value"; may be repeated' },
  'header-env': {
    ...list,
    describe: 'A header with the value of an environment variable, Name=VARIABLE; may be repeated',
  },
  timeout: {
    ...text,
    describe: 'Seconds for the connection, and for a call (default: 60; no limit)',
  },
  'max-message': { ...text, describe: 'MiB of one message of the server (default: 10)' },
  record: { ...text, describe: 'A new file for all messages, for mcp-codegen validate' },
  'no-input': { type: 'boolean', describe: 'Never prompt' },
  ...JSON_OPTION,
} as const satisfies OptionTable;

/** For the choice of that server. */
export const SERVER_OPTIONS = {
  server: { ...text, describe: 'URL or name of the server (default: MCP_SERVER)' },
  ...CONNECTION_OPTIONS,
} as const satisfies OptionTable;

/** For answers to a server. */
export const ANSWER_OPTIONS = {
  answer: { ...list, describe: 'Answers the next form of the server, in JSON; may be repeated' },
  sampling: { type: 'boolean', describe: 'You reply when the server asks a language model' },
  root: { ...list, describe: 'A folder that the server may ask for; may be repeated' },
} as const satisfies OptionTable;

export const SAVE_OPTION = {
  save: { ...text, describe: 'The folder for images, audio and files; replaces no file' },
} as const satisfies OptionTable;

export const STATE_OPTION = {
  state: {
    ...text,
    describe: 'The folder that keeps tasks (default: ~/.local/state/mcp-codegen/tasks)',
  },
} as const satisfies OptionTable;

/** The command that starts a server follows `--`. */
export const SERVER_COMMAND = 'command';

/** What the parser makes of these options. */
export interface CallingArguments {
  readonly server?: string | undefined;
  readonly command?: readonly string[];
  readonly token?: string | undefined;
  readonly tokenEnv?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly headerEnv?: readonly string[] | undefined;
  readonly timeout?: string | undefined;
  readonly maxMessage?: string | undefined;
  readonly record?: string | undefined;
  readonly noInput?: boolean | undefined;
  readonly answer?: readonly string[] | undefined;
  readonly sampling?: boolean | undefined;
  readonly root?: readonly string[] | undefined;
  readonly save?: string | undefined;
  readonly state?: string | undefined;
  readonly detach?: boolean | undefined;
  readonly ttl?: string | undefined;
  readonly silence?: string | undefined;
}

type Client = typeof ClientRoom;

export type Work = (session: CommandContext, client: Client) => Promise<CommandResult>;

/** Runs a command that calls a server. `tool` is what it is about, for help with errors. */
export async function reportOf(
  args: CallingArguments,
  io: Io,
  work: Work,
  tool?: string,
): Promise<Report> {
  const client = await import('./client/index.js');
  let session: CommandContext | undefined;
  let given: Given | undefined;
  try {
    given = serverOf(args, io);
    const settings = settingsOf(args, io, client);
    session = client.createSession({ given, settings, version: packageVersion() }, io);
    const { end, text: shown, data } = await work(session, client);
    return { exitCode: ENDS[end], text: () => shown, data };
  } catch (error) {
    const location = given && 'location' in given ? given.location : undefined;
    const explained = client.explain(error, { tool, location });
    if (explained === undefined) throw error;
    const { kind, message, help, data, text } = explained;
    throw new CommandFailure(message, CODES[kind], help, data, { cause: error, text });
  } finally {
    session?.close();
  }
}

const ENDS: Readonly<Record<CommandResult['end'], ExitCode>> = {
  done: EXIT.done,
  unsaved: EXIT.usage,
  invalid: EXIT.invalid,
  interrupted: EXIT.interrupted,
};

const CODES: Readonly<Record<Kind, ExitCode>> = {
  usage: EXIT.usage,
  unreachable: EXIT.invalid,
  refused: EXIT.refused,
  gone: EXIT.gone,
  interrupted: EXIT.interrupted,
};

/** Whether the command line has a command that starts the server. */
export function startsServer({ command = [] }: CallingArguments): boolean {
  return command.length > 0;
}

/** A URL or a name, or the command after `--`. @throws {UsageError} */
function serverOf(args: CallingArguments, io: Io): Given | undefined {
  const { server, command = [] } = args;
  if (startsServer(args)) {
    if (server !== undefined) {
      throw new UsageError('Two servers are given.', 'Remove --server, or -- and the command.');
    }
    refuseForUrls(args);
    const [program = '', ...rest] = command;
    return { location: { command: program, args: rest } };
  }
  const given = server ?? (io.env['MCP_SERVER'] || undefined);
  if (given === undefined) return undefined;
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(given)) return { name: given };
  const location = locationOf({ server: [given] }, io, 'Give a token with --token.');
  return { location: 'url' in location ? { url: given } : location };
}

/** The options that only a server at a URL gets. */
const FOR_URLS = {
  token: '--token',
  tokenEnv: '--token-env',
  header: '--header',
  headerEnv: '--header-env',
} as const;

/** A server that is started would not get them. @throws {UsageError} */
export function refuseForUrls(args: Partial<Pick<CallingArguments, keyof typeof FOR_URLS>>): void {
  for (const [key, option] of Object.entries(FOR_URLS)) {
    if (args[key as keyof typeof FOR_URLS] === undefined) continue;
    const help = `Give a URL with --server, or remove ${option}.`;
    throw new UsageError(`${option} needs a server URL.`, help);
  }
}

/** A folder that the server may ask for. @throws {UsageError} */
function rootOf(folder: string): string {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new UsageError(`--root names no folder: ${quote(folder)}.`, 'Name a folder that exists.');
}

/** @throws {UsageError} */
function settingsOf(args: CallingArguments, io: Io, client: Client): Settings {
  const { cwd, env } = io;
  const { record, save, state, root = [], answer = [] } = args;
  const path = (written: string): string => resolve(cwd, written);
  return {
    token: tokenOf(args, io, client),
    headers: {
      ...client.freeHeaders(Object.fromEntries((args.header ?? []).map(parseHeader))),
      ...client.valuesOf(headerVariables(args, client), env),
    },
    save: save === undefined ? undefined : path(save),
    mayAsk: args.noInput !== true,
    answers: answer.map((each) => client.parseObject('--answer', each)),
    sampling: args.sampling === true,
    roots: root.map((each) => rootOf(path(each))),
    detach: args.detach === true,
    timeout: client.milliseconds('--timeout', args.timeout),
    ttl: client.milliseconds('--ttl', args.ttl),
    silence: args.silence === '0' ? 0 : client.milliseconds('--silence', args.silence),
    maxMessage: client.mebibytes('--max-message', args.maxMessage),
    state: state === undefined ? undefined : path(state),
    record: record === undefined ? undefined : path(record),
  };
}

/** Header → environment variable, as `--header-env` gives them. @throws {UsageError} */
export function headerVariables(
  { headerEnv = [] }: Pick<CallingArguments, 'headerEnv'>,
  client: Client,
): Record<string, string> {
  return Object.fromEntries(headerEnv.map(client.parseHeaderVariable));
}

function tokenOf({ token, tokenEnv }: CallingArguments, { env }: Io, client: Client) {
  const given = tokenEnv === undefined ? token : client.variable(tokenEnv, env, 'the token');
  if (given !== undefined) {
    return { value: client.sendable(given, '--token'), from: 'command line' } as const;
  }
  const usual = env['MCP_TOKEN'];
  if (usual === undefined || usual === '') return undefined;
  return { value: client.sendable(usual, 'The variable MCP_TOKEN'), from: 'MCP_TOKEN' } as const;
}

/** The names of servers, for completion. Those of a project's file are a stranger's texts. */
export async function serverNames(io: Pick<Io, 'cwd' | 'env'>): Promise<readonly string[]> {
  const { isServerName, openBook } = await import('./client/index.js');
  const ask = (): Promise<never> => Promise.reject(new Error('Completion asks nothing'));
  const { servers } = await openBook({ ...io, ask }).list();
  return [...new Set(servers.map(({ name }) => name).filter(isServerName))];
}

/** The names of the saved servers, for completion. */
export async function savedNames({ env }: Pick<Io, 'env'>): Promise<readonly string[]> {
  const { openServers } = await import('./client/index.js');
  return [...(await openServers(env).list()).keys()];
}

/** The ids of the tasks that are kept, for completion. */
export async function taskIds({ env }: Pick<Io, 'env'>): Promise<readonly string[]> {
  const { openReferences, stateFolder } = await import('./client/index.js');
  const tasks = await openReferences(resolve(stateFolder(env), 'tasks')).list();
  return tasks.map(({ id }) => id);
}
