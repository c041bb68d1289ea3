import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { sendable } from './headers.js';
import { shownArgs, shownServer } from './location.js';
import type { ServerLocation } from './location.js';
import { shownFile } from './mcp-files.js';
import type { McpFile } from './mcp-files.js';
import type { Env } from './io.js';
import { line } from './text.js';
import { environmentIn, resolved } from './variables.js';
import type { VariableSources } from './variables.js';
import { UsageError } from './usage.js';
import type { Connection, NamedServer } from './named-server.js';

/** A server of an `mcp.json` as it is written there: its variables are not resolved. */
interface Entry {
  readonly location: ServerLocation;
  readonly env: Readonly<Record<string, string>>;
  readonly envFile: string | undefined;
  readonly cwd: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Surroundings {
  readonly cwd: string;
  readonly env: Env;
  /** Asks the user for the value of an input, which is a secret if so declared. */
  readonly ask: (message: string, isSecret: boolean) => Promise<string>;
}

/** A server of a file, if its entry can be used. */
export function serverIn(
  file: McpFile,
  inputs: unknown,
  [name, value]: readonly [string, unknown],
  around: Surroundings,
): NamedServer | undefined {
  const entry = entryOf(value);
  if (!entry) return undefined;
  const { program, source, project } = file;
  const sources: VariableSources = {
    program,
    env: around.env,
    isProject: project !== undefined,
    folder: project ?? around.cwd,
    input: (id) => askInput(id, inputs, around),
  };
  return {
    name,
    exact: `${source}:${name}`,
    location: entry.location,
    folder: project,
    from: shownFile(file, around.env),
    isProject: project !== undefined,
    written: value,
    notice: project === undefined ? undefined : () => noticeOf(name, entry, file, around.env),
    needs: neededBy(entry, file).map((variable) => `$${variable}`),
    connection: () => connectionOf(entry, sources),
  };
}

/** The kind is not compared: programs spell it differently (`http`, `sse`, `streamable-http`). */
function entryOf(value: unknown): Entry | undefined {
  const {
    command,
    args = [],
    url,
    serverUrl,
    env,
    envFile,
    cwd,
    headers,
  } = Object(value) as Record<string, unknown>;
  const address = url ?? serverUrl;
  const common = {
    env: textsOf(env),
    headers: textsOf(headers),
    envFile: typeof envFile === 'string' ? envFile : undefined,
    cwd: typeof cwd === 'string' ? cwd : undefined,
  };
  if (typeof command === 'string' && command !== '') {
    if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) return undefined;
    return { ...common, location: { command, args } };
  }
  return typeof address === 'string' ? { ...common, location: { url: address } } : undefined;
}

function textsOf(table: unknown): Record<string, string> {
  const entries = Object.entries(Object(table) as Record<string, unknown>);
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      ['string', 'number', 'boolean'].includes(typeof value) ? [[name, String(value)]] : [],
    ),
  );
}

async function connectionOf(entry: Entry, sources: VariableSources): Promise<Connection> {
  const { location, cwd, envFile } = entry;
  const text = (value: string): Promise<string> => resolved(value, sources);
  if ('url' in location) {
    return {
      location: { url: httpUrl(await text(location.url)) },
      headers: sendableHeaders(await all(entry.headers)),
    };
  }
  const args: string[] = [];
  for (const word of location.args) args.push(await text(word));
  const file =
    envFile === undefined ? {} : readEnvFile(resolve(sources.folder, await text(envFile)));
  return {
    location: { command: await text(location.command), args },
    env: { ...file, ...(await all(entry.env)) },
    ...(cwd === undefined
      ? { cwd: sources.folder }
      : { cwd: resolve(sources.folder, await text(cwd)) }),
  };

  async function all(table: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const values: [string, string][] = [];
    for (const [name, value] of Object.entries(table)) values.push([name, await text(value)]);
    return Object.fromEntries(values);
  }
}

/** The message does not quote the URL, because it may contain a secret. */
function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw new UsageError('The url of the server is not an http or https URL.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The url of the server contains a user name or a password.');
  }
  return text;
}

/** @throws {UsageError} */
function sendableHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new UsageError(`${JSON.stringify(line(name, 80))} is no name of a header.`);
    }
    return [name.toLowerCase(), sendable(value, `The header ${name}`)] as const;
  });
  return Object.fromEntries(entries);
}

/** Bytes of an envFile. */
const MOST_ENV = 1024 * 1024;

/** `KEY=value` a line, with comments and quotes. */
function readEnvFile(path: string): Record<string, string> {
  const pairs = envText(path)
    .split('\n')
    .flatMap((each) => {
      const [, name, value = ''] = /^(?:export\s+)?([\w.-]+)\s*=(.*)$/s.exec(each.trim()) ?? [];
      if (name === undefined) return [];
      return [[name, value.trim().replace(/^(["'])(.*)\1$/s, '$2')] as const];
    });
  return Object.fromEntries(pairs);
}

/** @throws {UsageError} */
function envText(path: string): string {
  const unusable = (why: string): UsageError =>
    new UsageError(`The envFile ${line(path, 500)} of the server cannot be used: ${why}.`);
  try {
    const file = statSync(path);
    if (!file.isFile()) throw unusable('it is no regular file');
    if (file.size > MOST_ENV) throw unusable('it is larger than 1 MiB');
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw unusable(`it cannot be read (${String((error as NodeJS.ErrnoException).code)})`);
  }
}

async function askInput(id: string, inputs: unknown, { ask }: Surroundings): Promise<string> {
  const found = (Array.isArray(inputs) ? (inputs as unknown[]) : []).find(
    (each) => (Object(each) as { id?: unknown }).id === id,
  );
  const { description, password, default: preset } = Object(found) as Record<string, unknown>;
  const message = typeof description === 'string' ? description : id;
  const value = await ask(line(message, 500), password === true);
  return value === '' && typeof preset === 'string' ? preset : value;
}

/** The user chose the name only: the project chose what it stands for, so all of that is shown. */
function noticeOf(name: string, entry: Entry, file: McpFile, env: Env): string {
  const { location, cwd, envFile } = entry;
  const isStarted = 'command' in location;
  const variables = neededBy(entry, file);
  const lines = [
    `${line(name)} of ${line(shownFile(file, env))} ${isStarted ? 'starts' : 'is at'}: ${line(shownServer(location), 1_000)}`,
    ...(isStarted ? ['It gets your environment, without MCP_TOKEN and MCP_CLIENT_SECRET.'] : []),
    ...(variables.length > 0 ? [`It gets the value of ${line(variables.join(', '), 300)}.`] : []),
    ...(isStarted ? settingsOf(entry.env) : []),
    ...(isStarted && envFile !== undefined
      ? [`It gets the variables of the file ${line(envFile)}.`]
      : []),
    ...(isStarted && cwd !== undefined ? [`It starts in the folder ${line(cwd)}.`] : []),
  ];
  return lines.join('\n  ');
}

/** Variables that a notice shows, a line each. */
const MOST_SHOWN = 50;

/** The variables that the entry sets, without secrets. */
function settingsOf(env: Readonly<Record<string, string>>): string[] {
  const entries = Object.entries(env);
  const shown = entries
    .slice(0, MOST_SHOWN)
    .map(([name, value]) => `It sets ${line(shownArgs([`${name}=${value}`]).join(''), 300)}`);
  const rest = entries.length - shown.length;
  return rest > 0 ? [...shown, `It sets ${String(rest)} more variables.`] : shown;
}

/** The environment variables that the entry names. */
function neededBy({ location, env, headers, envFile = '' }: Entry, { program }: McpFile): string[] {
  const texts = [
    ...('url' in location ? [location.url] : [location.command, ...location.args]),
    ...Object.values(env),
    ...Object.values(headers),
    envFile,
  ];
  return [...new Set(texts.flatMap((text) => environmentIn(text, program)))];
}
