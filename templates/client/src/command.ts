import type { JsonObject } from '@mcp-codegen/runtime/client';
import { UsageError } from './exit.js';
import { isServerName } from './servers.js';
import { parseJson, parseObject } from './values.js';

export type Command =
  | { readonly name: 'help' | 'resources' | 'prompts' | 'login' | 'logout' }
  | {
      readonly name: 'tools';
      /** The tool to describe; without it, all are listed. */
      readonly tool: string | undefined;
    }
  | ({ readonly name: 'call'; readonly tool: string } & Arguments)
  | { readonly name: 'resources read'; readonly uri: string }
  | {
      readonly name: 'prompts get';
      readonly prompt: string;
      readonly values: Readonly<Record<string, string>>;
    }
  | { readonly name: 'tasks list' | 'servers list' }
  | {
      readonly name: 'tasks get' | 'tasks watch' | 'tasks cancel' | 'tasks resume';
      /** Of a kept task. */
      readonly id: string;
    }
  | { readonly name: 'servers add' | 'servers remove'; readonly server: string };

/** The arguments of a tool. */
export interface Arguments {
  /** From `name:=json` and `--args`. */
  readonly values: JsonObject;
  /** From `name=text`: the tool's schema says what they are. */
  readonly texts: Readonly<Record<string, string>>;
}

const TASK_ACTIONS = ['get', 'watch', 'cancel', 'resume'] as const;

/** @throws {UsageError} */
export function commandOf(words: readonly string[], args: string | undefined): Command {
  const [name, second, ...rest] = words;
  if (name === undefined) return { name: 'help' };
  if (args !== undefined && name !== 'call') throw new UsageError('--args goes with call.');
  switch (name) {
    case 'tools':
      return only({ name, tool: second }, rest);
    case 'call': {
      if (second === undefined) throw new UsageError('Which tool? call <tool>');
      const whole = args === undefined ? {} : parseObject('--args', args);
      return { name, tool: second, ...argumentsOf(whole, rest) };
    }
    case 'login':
    case 'logout':
      return only({ name }, words.slice(1));
    case 'resources':
      return resourcesCommand(second, rest);
    case 'prompts':
      return promptsCommand(second, rest);
    case 'tasks':
      return tasksCommand(second, rest);
    case 'servers':
      return serversCommand(second, rest);
    default:
      throw unknown(name);
  }
}

function resourcesCommand(action: string | undefined, [uri, ...rest]: readonly string[]): Command {
  if (action === undefined) return { name: 'resources' };
  if (action !== 'read') throw unknown(`resources ${action}`);
  if (uri === undefined) throw new UsageError('Which resource? resources read <uri>');
  return only({ name: 'resources read', uri }, rest);
}

function promptsCommand(action: string | undefined, [prompt, ...rest]: readonly string[]): Command {
  if (action === undefined) return { name: 'prompts' };
  if (action !== 'get') throw unknown(`prompts ${action}`);
  if (prompt === undefined) throw new UsageError('Which prompt? prompts get <prompt>');
  const { values, texts } = argumentsOf({}, rest);
  if (Object.keys(values).length > 0) {
    throw new UsageError('The arguments of prompts are texts: name=value.');
  }
  return { name: 'prompts get', prompt, values: texts };
}

function tasksCommand(second: string | undefined, rest: readonly string[]): Command {
  if (second === 'list' || second === undefined) return only({ name: 'tasks list' }, rest);
  const action = TASK_ACTIONS.find((each) => each === second);
  if (!action) throw unknown(`tasks ${second}`);
  const [id, ...more] = rest;
  if (id === undefined) throw new UsageError(`Which task? tasks ${action} <id>`);
  return only({ name: `tasks ${action}`, id }, more);
}

function serversCommand(second: string | undefined, rest: readonly string[]): Command {
  if (second === 'list' || second === undefined) return only({ name: 'servers list' }, rest);
  if (second !== 'add' && second !== 'remove') throw unknown(`servers ${second}`);
  const [server, ...more] = rest;
  if (server === undefined) throw new UsageError(`Which server? servers ${second} <name>`);
  if (!isServerName(server)) {
    throw new UsageError(
      `${JSON.stringify(server)} is no name: up to 64 letters, digits, dots, hyphens and underscores.`,
    );
  }
  return only({ name: `servers ${second}`, server }, more);
}

function unknown(words: string): UsageError {
  return new UsageError(`There is no command ${JSON.stringify(words)}. See: my-mcp-client --help`);
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
