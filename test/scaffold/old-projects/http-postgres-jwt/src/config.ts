import { existsSync, readFileSync } from 'node:fs';
import { ConfigError } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

const Text = z.string().min(1, 'must not be empty');

/**
 * Tokens and keys go there, so other machines have to be reached by HTTPS.
 *
 */
const SecureUrl = z
  .url({ abort: true })
  .refine(
    (text) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1)(?:[:/]|$)/i.test(text),
    'must be an https: URL, or an http: URL of localhost or 127.0.0.1',
  );

/** Everything that can be set: in `config.json`, or by the environment, which comes first. `--help` prints it. */
const Config = z.strictObject({
  drainMs: z
    .int()
    .min(0)
    .max(300_000)
    .default(5_000)
    .describe('Milliseconds that tasks get to finish when the server has to stop'),
  logLevel: z
    .enum(['error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .describe('The least important lines to log: error, warn, info, debug, silent'),

  host: Text.default('127.0.0.1').describe(
    'The address to listen at; at 0.0.0.0 other machines can connect',
  ),

  port: z.int().min(0).max(65_535).default(3000).describe('The port to listen at'),

  allowedHosts: z
    .array(Text)
    .optional()
    .describe('Host names of the server (default: those of this machine)'),

  allowedOrigins: z
    .array(Text)
    .optional()
    .describe('Web pages that may call it: hosts or origins (default: those of this machine)'),

  role: z
    .enum(['all', 'web', 'worker'])
    .default('all')
    .describe('web: serves clients; worker: runs tasks, and serves /health; all: both'),

  concurrency: z
    .int()
    .min(1)
    .max(100_000)
    .default(64)
    .describe('Tasks that run at a time in this process'),

  postgres: z
    .strictObject({
      /**
       * `postgres://user:password@host:port/database`. Without it `PGHOST`, `PGPORT`, `PGUSER`,
       * `PGPASSWORD`, `PGDATABASE` and `PGSSLMODE` decide.
       */
      connectionString: z
        .exactOptional(Text)
        .describe('postgres://user:password@host:port/database'),
      schema: z
        .string()
        // DBOS has a schema of its own, whose name is 5 characters longer than this one.
        .regex(
          /^[a-z_][a-z0-9_]{0,57}$/,
          'use 1 to 58 of a-z, 0-9 and _, and no digit at the start',
        )
        .default('mcp_tasks')
        .describe('The schema of the tables; servers with other tools need another one'),
      migrate: z
        .boolean('use true or false')
        .default(true)
        .describe('Whether the server creates and updates the tables at its start'),
    })
    .prefault({}),

  auth: z.strictObject({
    resource: z
      .url()
      .describe('The URL under which clients reach the server, for which tokens are issued'),
    issuer: SecureUrl.refine(
      (text) => !/[?#]/.test(text),
      'must have no query and no fragment',
    ).describe('The URL of the authorization server'),

    jwks: SecureUrl.describe('The URL of its public keys: jwks_uri in its metadata'),
    scopes: z.array(Text).default([]).describe('Scopes that every request needs'),
  }),
});
export type Config = z.output<typeof Config>;

type Path = readonly [string, ...string[]];

interface Variable {
  readonly path: Path;
  readonly read: (text: string) => unknown;
}

const number = (value: string): unknown => (value.trim() === '' ? value : Number(value));

const flag = (value: string): unknown => ({ true: true, false: false })[value] ?? value;

const list = (value: string): unknown => value.split(',').map((each) => each.trim());

const VARIABLES: Readonly<Record<string, Variable>> = {
  DRAIN_MS: { path: ['drainMs'], read: number },
  LOG_LEVEL: { path: ['logLevel'], read: String },

  HOST: { path: ['host'], read: String },

  PORT: { path: ['port'], read: number },

  ALLOWED_HOSTS: { path: ['allowedHosts'], read: list },

  ALLOWED_ORIGINS: { path: ['allowedOrigins'], read: list },

  ROLE: { path: ['role'], read: String },

  CONCURRENCY: { path: ['concurrency'], read: number },

  DATABASE_URL: { path: ['postgres', 'connectionString'], read: String },

  DATABASE_SCHEMA: { path: ['postgres', 'schema'], read: String },

  MIGRATE_AT_START: { path: ['postgres', 'migrate'], read: flag },

  AUTH_RESOURCE: { path: ['auth', 'resource'], read: String },

  AUTH_ISSUER: { path: ['auth', 'issuer'], read: String },

  AUTH_JWKS: { path: ['auth', 'jwks'], read: String },
};

const DEFAULT_FILE = 'config.json';
const EMPTY = 'is empty: set it, or remove it';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads `config.json`, if it is there, or the file that `CONFIG` names, which has to be.
 *
 * @throws {ConfigError}
 */
export function readConfig(environment: Environment): Config {
  return parse(Config, environment);
}

/**
 * How to connect to PostgreSQL, for commands that need no other setting.
 *
 * @throws {ConfigError}
 */
export function readPostgres(environment: Environment): Config['postgres'] {
  return parse(z.object({ postgres: Config.shape.postgres }), environment).postgres;
}

/**
 * Where DBOS keeps its tables. Servers whose tasks are in different schemas share no queue either.
 */
export function dbosSchemaOf({ schema }: Config['postgres']): string {
  return `${schema}_dbos`;
}

function parse<T extends z.ZodType>(settingsType: T, environment: Environment): z.output<T> {
  const { file, settings } = settingsOf(environment);
  const set = Object.entries(VARIABLES).filter(([name]) => environment[name] !== undefined);
  for (const [name, { path, read }] of set) {
    put(settings, path, read(environment[name] ?? ''));
  }
  const result = settingsType.safeParse(settings);
  if (result.success) return result.data;
  const lines = result.error.issues.map(({ path, message }) => {
    const place = path.map(String).join('.');
    const from = set.find(([, variable]) => place.startsWith(variable.path.join('.')));
    if (!from) return `${file}, ${place || 'as a whole'}: ${message}${hint(place)}`;
    const [name, { read }] = from;
    if (environment[name]?.trim() === '') return `${name} ${EMPTY}`;
    // Texts are not quoted, because they may be secrets.
    const value = read === String ? '' : ` is ${JSON.stringify(environment[name])}`;
    return `${name}${value}: ${message}`;
  });
  throw new ConfigError(lines.join('\n'));
}

/** The variables of the environment with their meanings, and their defaults where there are any. */
export function variableRows(): (readonly [name: string, meaning: string])[] {
  const settings = z.toJSONSchema(Config, { io: 'input' });
  const rows = Object.entries(VARIABLES).map(([name, { path }]) => {
    const { description = '', default: preset } = path.reduce<z.core.JSONSchema.BaseSchema>(
      (schema, key) => Object(schema.properties?.[key]) as z.core.JSONSchema.BaseSchema,
      settings,
    );
    if (preset === undefined || Array.isArray(preset)) return [name, description] as const;
    const shown = typeof preset === 'string' ? preset : JSON.stringify(preset);
    return [name, `${description} (default: ${shown})`] as const;
  });
  return [
    ['CONFIG', `A file with these settings (default: ${DEFAULT_FILE}, if there is one)`],
    ...rows,
  ];
}

function settingsOf(environment: Environment): { file: string; settings: Settings } {
  const file = environment['CONFIG'] ?? DEFAULT_FILE;
  if (file === '') throw new ConfigError(`CONFIG ${EMPTY}`);
  const isThere = environment['CONFIG'] !== undefined || existsSync(file);
  return { file, settings: isThere ? readSettings(file) : {} };
}

/** The variable that would set what is missing or wrong. */
function hint(place: string): string {
  const found = Object.entries(VARIABLES).find(([, { path }]) => path.join('.') === place);
  return found ? ` (set by ${found[0]})` : '';
}

type Settings = Record<string, unknown>;

function readSettings(file: string): Settings {
  let value: unknown;
  try {
    // Editors on Windows may write a byte order mark.
    value = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new ConfigError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (isSettings(value)) return value;
  throw new ConfigError(`${file}: must be an object`);
}

function put(settings: Settings, [first, ...rest]: Path, value: unknown): void {
  const [next, ...others] = rest;
  if (next === undefined) {
    settings[first] = value;
    return;
  }
  const inner = settings[first];
  const branch = isSettings(inner) ? inner : {};
  settings[first] = branch;
  put(branch, [next, ...others], value);
}

function isSettings(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
