import { parseArgs } from 'node:util';
import { UsageError } from './exit.js';
import type { JsonObject } from '@mcp-codegen/runtime/client';
import type { ServerLocation } from './location.js';
import { withoutPasswords } from './text.js';
import type { GivenToken } from './token.js';

export type Command =
  | { readonly name: 'help' }
  | {
      readonly name: 'tools';
      /** The tool to describe; without it, all are listed. */
      readonly tool: string | undefined;
    }
  | ({ readonly name: 'call'; readonly tool: string } & Arguments)
  | { readonly name: 'tasks list' }
  | {
      readonly name: 'tasks get' | 'tasks watch' | 'tasks cancel' | 'tasks resume';
      /** Of a kept task. */
      readonly id: string;
    };

/** The arguments of a tool. */
export interface Arguments {
  /** From `name:=json` and `--args`. */
  readonly values: JsonObject;
  /** From `name=text`: the tool's schema says what they are. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface Invocation {
  readonly command: Command;
  readonly server: ServerLocation | undefined;
  readonly token: GivenToken | undefined;
  /** Further headers for servers at URLs. */
  readonly headers: Readonly<Record<string, string>>;
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

export const HELP = [
  'my-mcp-client tools                        what the server offers',
  'my-mcp-client tools <tool>                 its arguments, with their types',
  'my-mcp-client call <tool> [name=value] [name:=json]',
  'my-mcp-client tasks list                   the tasks that are kept',
  'my-mcp-client tasks get <id>               its state, and its result if there is one',
  'my-mcp-client tasks watch <id>             its state until it ends',
  'my-mcp-client tasks resume <id>            answer its questions, wait for its result',
  'my-mcp-client tasks cancel <id>',
  '',
  'The server, for tools and call; tasks know theirs:',
  '  --server <url>         or MCP_SERVER',
  '  -- <command> [args]    starts it, last on the line',
  '  --token <token>        for this server; better: MCP_TOKEN, which goes to the origin of',
  '                         MCP_SERVER only, or of --server when MCP_SERVER is not set',
  '  --header <name:value>  for this server; may be repeated',
  '',
  '  --args <json>          all arguments of the tool at once',
  // @when elicitation-form
  '  --answer <json>        answers the next form of the server; may be repeated',
  '  --no-input             asks nothing',
  '  --detach               leaves a task running and prints its id',
  '  --timeout <seconds>    for connecting (5), and for the call (no limit)',
  '  --ttl <seconds>        how long the server shall keep the task',
  '  --max-message <MiB>    the longest message that a server may send (10)',
  '  --state <folder>       where running tasks are kept',
  '  --json                 one JSON document on standard output',
  '',
].join('\n');

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const OPTIONS = {
  server: text,
  token: text,
  header: { type: 'string', multiple: true },
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

/** @throws {UsageError} */
export function parseCommandLine(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Invocation {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  const { values, positionals } = parse([...own]);
  const command =
    values.help === true ? ({ name: 'help' } as const) : commandOf(positionals, values.args);
  return {
    command,
    server: serverOf(end === -1 ? [] : argv.slice(end + 1), values.server, env['MCP_SERVER']),
    token: tokenOf(values, env),
    headers: Object.fromEntries((values.header ?? []).map(parseHeader)),
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

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

const TASK_ACTIONS = ['get', 'watch', 'cancel', 'resume'] as const;

function commandOf(words: readonly string[], args: string | undefined): Command {
  const [name, second, ...rest] = words;
  if (name === undefined) return { name: 'help' };
  if (args !== undefined && name !== 'call') throw new UsageError('--args goes with call.');
  if (name === 'tools') return only({ name, tool: second }, rest);
  if (name === 'call') {
    if (second === undefined) throw new UsageError('Which tool? call <tool>');
    const whole = args === undefined ? {} : parseObject('--args', args);
    return { name, tool: second, ...argumentsOf(whole, rest) };
  }
  if (name !== 'tasks') throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
  if (second === 'list' || second === undefined) return only({ name: 'tasks list' }, rest);
  const action = TASK_ACTIONS.find((each) => each === second);
  if (!action) throw new UsageError(`There is no command ${JSON.stringify(`tasks ${second}`)}.`);
  const [id, ...more] = rest;
  if (id === undefined) throw new UsageError(`Which task? tasks ${action} <id>`);
  return only({ name: `tasks ${action}`, id }, more);
}

function only(command: Command, extra: readonly string[]): Command {
  if (extra[0] === undefined) return command;
  throw new UsageError(`${JSON.stringify(extra[0])} is one word too many.`);
}

/** `limit:=100` is JSON, `date=2026-01-01` whatever the tool's schema says. The last of a name counts. */
function argumentsOf(whole: JsonObject, words: readonly string[]): Arguments {
  const values = new Map(Object.entries(whole));
  const texts = new Map<string, string>();
  for (const word of words) {
    const [, name, how, value = ''] = /^([^=:]+)(:?=)(.*)$/s.exec(word) ?? [];
    if (name === undefined) {
      throw new UsageError(`An argument is name=value or name:=json, not ${JSON.stringify(word)}.`);
    }
    values.delete(name);
    texts.delete(name);
    if (how === '=') texts.set(name, value);
    else values.set(name, parseJson(word, value));
  }
  return { values: Object.fromEntries(values), texts: Object.fromEntries(texts) };
}

/** Those that belong to the transport and the token. */
const RESERVED = /^(?:authorization|content-.*|accept|host|connection|mcp-.*|last-event-id)$/i;

/** `x-tenant: acme` */
function parseHeader(written: string): [string, string] {
  const [, name = '', value = ''] = /^([\w!#$%&'*+.^`|~-]+): *([\t -~]*)$/.exec(written) ?? [];
  if (name === '') throw new UsageError('--header takes name:value, of plain characters.');
  if (!RESERVED.test(name)) return [name.toLowerCase(), value];
  const help = /^authorization$/i.test(name) ? ' Use --token.' : '';
  throw new UsageError(`The header ${name} belongs to the protocol.${help}`);
}

function parseObject(where: string, value: string): JsonObject {
  const parsed = parseJson(where, value);
  if (isObject(parsed)) return parsed;
  throw new UsageError(`${where} takes a JSON object.`);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseJson(where: string, value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw new UsageError(`What ${where} gives is not JSON.`);
  }
}

function serverOf(
  words: readonly string[],
  written: string | undefined,
  usual: string | undefined,
): ServerLocation | undefined {
  const [command, ...args] = words;
  if (command !== undefined && written !== undefined) {
    throw new UsageError('A server is either at a URL or started by a command.');
  }
  if (command !== undefined) return { command, args };
  const url = written ?? usual;
  if (url === undefined) return undefined;
  if (!isHttp(url)) {
    throw new UsageError(`${JSON.stringify(withoutPasswords(url))} is not an http or https URL.`);
  }
  const { username, password } = new URL(url);
  if (username === '' && password === '') return { url };
  throw new UsageError('The URL of a server takes no user name and password. Use --token.');
}

function isHttp(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

function tokenOf(
  { token, server }: { readonly token?: string | undefined; readonly server?: string | undefined },
  env: Readonly<Record<string, string | undefined>>,
): GivenToken | undefined {
  if (token !== undefined) return { value: token, from: 'command line', origin: undefined };
  const value = env['MCP_TOKEN'];
  if (value === undefined || value === '') return undefined;
  const url = env['MCP_SERVER'] ?? server;
  const origin = url !== undefined && isHttp(url) ? new URL(url).origin : undefined;
  return { value, from: 'MCP_TOKEN', origin };
}

function mebibytes(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const size = Number(written);
  if (size > 0 && size <= 512) return Math.ceil(size * 1024 * 1024);
  throw new UsageError(`${name} takes a number of MiB, up to 512.`);
}

function milliseconds(name: string, written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  const seconds = Number(written);
  if (seconds > 0 && seconds < 1e9) return Math.ceil(seconds * 1000);
  throw new UsageError(`${name} takes a number of seconds.`);
}
