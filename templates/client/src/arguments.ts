import { parseArgs } from 'node:util';
import type { JsonObject } from '@mcp-codegen/runtime/client';
import { commandOf } from './command.js';
import type { Command } from './command.js';
import { UsageError } from './exit.js';
import { parseHeader, parseHeaderVariable, sendable, variable } from './headers.js';
import type { ServerLocation } from './location.js';
import { isServerName } from './servers.js';
import type { HeaderVariables, Servers } from './servers.js';
import { withoutPasswords } from './text.js';
import type { GivenToken } from './token.js';
import { mebibytes, milliseconds, parseObject } from './values.js';

export interface Invocation {
  readonly command: Command;
  readonly server: ServerLocation | undefined;
  /** The name of the server, if it is a saved one. */
  readonly saved: string | undefined;
  readonly token: GivenToken | undefined;
  /** Further headers for servers at URLs. */
  readonly headers: Readonly<Record<string, string>>;
  /** What `servers add` keeps instead of secrets. */
  readonly variables: { readonly headers: HeaderVariables; readonly token: string | undefined };
  readonly login: LoginFlags;
  /** The folder for images, audio and files. */
  readonly save: string | undefined;
  readonly json: boolean;
  /** Whether people may be asked. */
  readonly mayAsk: boolean;
  /**
   * Answers to the forms of the server, in their order.
   *
   * @when elicitation-form
   */
  readonly answers: readonly JsonObject[];
  readonly detach: boolean;
  /** Milliseconds. */
  readonly timeout: number | undefined;
  /** Milliseconds. */
  readonly ttl: number | undefined;
  /** Bytes of one message of a server. */
  readonly maxMessage: number | undefined;
  /** The folder that keeps references, if not the usual one. */
  readonly state: string | undefined;
}

export interface LoginFlags {
  readonly grant: 'browser' | 'device' | 'client-credentials';
  readonly scope: string | undefined;
  readonly issuer: string | undefined;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  server: text,
  token: text,
  'token-env': text,
  header: { type: 'string', multiple: true },
  'header-env': { type: 'string', multiple: true },
  device: flag,
  'client-credentials': flag,
  issuer: text,
  scope: text,
  save: text,
  args: text,
  // @when elicitation-form
  answer: { type: 'string', multiple: true },
  'no-input': flag,
  detach: flag,
  timeout: text,
  ttl: text,
  'max-message': text,
  state: text,
  json: flag,
  help: { type: 'boolean', short: 'h' },
} as const;

/** `servers` finds saved servers. @throws {UsageError} */
export async function parseCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  servers: Pick<Servers, 'find'>,
): Promise<Invocation> {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const { values, positionals } = parse([...own]);
  const command =
    values.help === true ? ({ name: 'help' } as const) : commandOf(positionals, values.args);
  const started = end === -1 ? [] : argv.slice(end + 1);
  const { server, saved } = await serverOf(started, values.server, env['MCP_SERVER'], servers);
  const headers = Object.fromEntries((values.header ?? []).map(parseHeader));
  const named = Object.fromEntries((values['header-env'] ?? []).map(parseHeaderVariable));
  const adds = command.name === 'servers add';
  if (adds && (values.header !== undefined || values.token !== undefined)) {
    throw new UsageError('Saved servers contain no secrets. Use --header-env and --token-env.');
  }
  return {
    command,
    server,
    saved,
    token: adds ? undefined : await tokenOf(values, env, servers),
    headers: adds ? {} : { ...headers, ...valuesOf(named, env) },
    variables: { headers: named, token: values['token-env'] },
    login: loginFlags(values),
    save: values.save,
    json: values.json === true,
    mayAsk: values['no-input'] !== true,
    // @when elicitation-form
    answers: (values.answer ?? []).map((each) => parseObject('--answer', each)),
    detach: values.detach === true,
    timeout: milliseconds('--timeout', values.timeout),
    ttl: milliseconds('--ttl', values.ttl),
    maxMessage: mebibytes('--max-message', values['max-message']),
    state: values.state,
  };
}

/** Headers with the values of their variables. @throws {UsageError} */
export function valuesOf(
  headers: HeaderVariables,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, from]) => [
      name,
      variable(from, env, `the header ${name}`),
    ]),
  );
}

function loginFlags(values: {
  readonly device?: boolean | undefined;
  readonly 'client-credentials'?: boolean | undefined;
  readonly issuer?: string | undefined;
  readonly scope?: string | undefined;
}): LoginFlags {
  const { device, 'client-credentials': program, issuer, scope } = values;
  if (device === true && program === true) {
    throw new UsageError('--device and --client-credentials exclude each other.');
  }
  const grant = device === true ? 'device' : program === true ? 'client-credentials' : 'browser';
  return { grant, issuer, scope };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

interface GivenServer {
  readonly server: ServerLocation | undefined;
  readonly saved: string | undefined;
}

async function serverOf(
  words: readonly string[],
  written: string | undefined,
  usual: string | undefined,
  servers: Pick<Servers, 'find'>,
): Promise<GivenServer> {
  const [command, ...args] = words;
  if (command !== undefined && written !== undefined) {
    throw new UsageError('A server is either at a URL or started by a command.');
  }
  if (command !== undefined) return { server: { command, args }, saved: undefined };
  const given = written ?? usual;
  if (given === undefined) return { server: undefined, saved: undefined };
  if (isServerName(given)) {
    return { server: (await servers.find(given)).location, saved: given };
  }
  if (!isHttp(given)) {
    throw new UsageError(`${JSON.stringify(withoutPasswords(given))} is not an http or https URL.`);
  }
  const { username, password } = new URL(given);
  if (username === '' && password === '') return { server: { url: given }, saved: undefined };
  throw new UsageError('The URL of a server takes no user name and password. Use --token.');
}

function isHttp(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

interface TokenFlags {
  readonly token?: string | undefined;
  readonly 'token-env'?: string | undefined;
  readonly server?: string | undefined;
}

async function tokenOf(
  { token, 'token-env': from, server }: TokenFlags,
  env: Readonly<Record<string, string | undefined>>,
  servers: Pick<Servers, 'find'>,
): Promise<GivenToken | undefined> {
  const given = from === undefined ? token : variable(from, env, 'the token');
  if (given !== undefined) {
    return { value: sendable(given, '--token'), from: 'command line', origin: undefined };
  }
  if (env['MCP_TOKEN'] === undefined || env['MCP_TOKEN'] === '') return undefined;
  const value = sendable(env['MCP_TOKEN'], 'The variable MCP_TOKEN');
  const named = env['MCP_SERVER'] ?? server;
  const url = named !== undefined && isServerName(named) ? await urlOf(named, servers) : named;
  const origin = url !== undefined && isHttp(url) ? new URL(url).origin : undefined;
  return { value, from: 'MCP_TOKEN', origin };
}

async function urlOf(name: string, servers: Pick<Servers, 'find'>): Promise<string | undefined> {
  const { location } = await servers.find(name);
  return 'url' in location ? location.url : undefined;
}
