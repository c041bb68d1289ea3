import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import {
  http,
  introspection,
  jwt,
  list,
  memory,
  postgres,
  sqlite,
  stdio,
} from '../../runtime/program/index.js';
import { logSettings, programSettings } from '../../runtime/program/own-settings.js';
import {
  type Environment,
  mergedSettings,
  readSettings,
  type SettingsShape,
} from '../../runtime/program/settings.js';

const PLACE = ' or in /app/.env';

async function problems(shape: SettingsShape, environment: Environment): Promise<string> {
  return readSettings(shape, environment, PLACE).then(
    () => '',
    (error: unknown) => {
      expect(error).toHaveProperty('name', 'ConfigError');
      return (error as Error).message;
    },
  );
}

const AUTHORS = {
  GREETING: z.string().max(9).default('Hello').describe('How users are greeted'),
  LIMIT: z.coerce.number().int().max(10).default(5).describe('The most of it'),
  LOUD: z.stringbool().default(false).describe('Whether it shouts'),
  COLOUR: z.enum(['red', 'green']).optional().describe('Its colour'),
  NAMES: list().optional().describe('Names'),
  API_KEY: z.string().length(8).describe('The key of the weather service'),
};
const VALID = { API_KEY: '12345678' };

describe('settings of an author', () => {
  it('are values of their schemas', async () => {
    expect(await readSettings(AUTHORS, VALID, PLACE)).toEqual({
      GREETING: 'Hello',
      LIMIT: 5,
      LOUD: false,
      COLOUR: undefined,
      NAMES: undefined,
      API_KEY: '12345678',
    });
    const environment = {
      ...{ GREETING: 'Salut', LIMIT: '7', LOUD: 'yes', COLOUR: 'red', NAMES: 'ann, bob' },
      ...{ ...VALID, OTHER: 'x' },
    };
    expect(await readSettings(AUTHORS, environment, PLACE)).toEqual({
      ...VALID,
      GREETING: 'Salut',
      LIMIT: 7,
      LOUD: true,
      COLOUR: 'red',
      NAMES: ['ann', 'bob'],
    });
  });

  it('are all reported when they are wrong, a line each', async () => {
    const environment = { GREETING: 'Good morning', LIMIT: '1.5', LOUD: 'si', COLOUR: 'blue' };
    const lines = (await problems(AUTHORS, { ...environment, NAMES: 'ann,,bob' })).split('\n');
    expect(lines).toEqual([
      'GREETING: Too big: expected string to have <=9 characters',
      'LIMIT is "1.5": Invalid input: expected int, received number',
      expect.stringMatching(/^LOUD is "si": Invalid option: /),
      'COLOUR is "blue": Invalid option: expected one of "red"|"green"',
      'NAMES: has an empty entry',
      'Set API_KEY in the environment or in /app/.env: The key of the weather service',
    ]);
  });

  it.each(['', ' ', '\t'])('say that they are empty: %j', async (text) => {
    for (const name of Object.keys(AUTHORS)) {
      expect(await problems(AUTHORS, { ...VALID, [name]: text })).toBe(
        `${name} is empty: set it, or remove it`,
      );
    }
  });

  it('do not quote what a transform throws', async () => {
    const shape = { JSON_TEXT: z.string().transform((text) => JSON.parse(text) as unknown) };
    expect(await problems(shape, { JSON_TEXT: 'hush-hush' })).toBe('JSON_TEXT: is not valid');
  });

  it('may be checked by promises', async () => {
    const shape = { NAME: z.string().refine((text) => Promise.resolve(text === 'a'), 'is not a') };
    expect(await problems(shape, { NAME: 'b' })).toBe('NAME: is not a');
    expect(await readSettings(shape, { NAME: 'a' }, PLACE)).toEqual({ NAME: 'a' });
  });
});

/** Each program that can be made of the parts. */
const PROGRAMS: Readonly<Record<string, SettingsShape>> = {
  every: { ...programSettings, ...logSettings },
  stdio: stdio().settings,
  http: http().settings,
  jwt: http({ auth: jwt() }).settings,
  introspection: http({ auth: introspection() }).settings,
  memory: memory().settings,
  sqlite: sqlite().settings,
  postgres: postgres().settings,
  nodes: postgres().cluster?.settings ?? {},
  author: AUTHORS,
};
const ALL = Object.assign({}, ...Object.values(PROGRAMS)) as SettingsShape;
const QUOTABLE = [
  ...['DRAIN_MS', 'LOG_LEVEL', 'PORT', 'MIGRATE_AT_START', 'ROLE', 'CONCURRENCY'],
  ...['LIMIT', 'LOUD', 'COLOUR'],
];

describe('settings of parts', () => {
  it.each([
    ['every', { DRAIN_MS: 5_000, LOG_LEVEL: 'info' }],
    ['stdio', {}],
    [
      'http',
      { HOST: '127.0.0.1', PORT: 3000, ALLOWED_HOSTS: undefined, ALLOWED_ORIGINS: undefined },
    ],
    ['memory', {}],
    ['sqlite', { DATABASE: undefined }],
    ['postgres', { DATABASE_URL: undefined, DATABASE_SCHEMA: 'mcp_tasks', MIGRATE_AT_START: true }],
    ['nodes', { ROLE: 'all', CONCURRENCY: 64 }],
  ])('have defaults: %s', async (name, defaults) => {
    expect(await readSettings(PROGRAMS[name] ?? {}, {}, PLACE)).toEqual(defaults);
  });

  it('have the defaults of the options of http()', async () => {
    const options = { host: '::1', port: 0, allowedHosts: ['a.example', 'b.example'] };
    expect(await readSettings(http(options).settings, {}, PLACE)).toMatchObject({
      HOST: '::1',
      PORT: 0,
      ALLOWED_HOSTS: ['a.example', 'b.example'],
    });
  });

  it.each([
    ['jwt', ['AUTH_RESOURCE', 'AUTH_ISSUER', 'AUTH_JWKS']],
    [
      'introspection',
      [
        ...['AUTH_RESOURCE', 'AUTH_ISSUER', 'AUTH_INTROSPECTION'],
        ...['AUTH_CLIENT_ID', 'AUTH_CLIENT_SECRET'],
      ],
    ],
  ])('of %s() are needed, and say what they mean', async (name, needed) => {
    const lines = (await problems(PROGRAMS[name] ?? {}, {})).split('\n');
    expect(lines).toEqual(
      needed.map((setting): unknown =>
        expect.stringMatching(
          new RegExp(`^Set ${setting} in the environment or in /app/\\.env: The [^\n]+$`),
        ),
      ),
    );
  });

  it.each([
    ['PORT', 'abc', 'PORT is "abc": Invalid input: expected number, received NaN'],
    ['PORT', '70000', 'PORT is "70000": Too big: expected number to be <=65535'],
    ['MIGRATE_AT_START', 'yes', 'MIGRATE_AT_START is "yes": use true or false'],
    [
      'DATABASE_SCHEMA',
      'my tasks',
      'DATABASE_SCHEMA: use 1 to 58 of a-z, 0-9 and _, and no digit at the start',
    ],
    ...['file:tasks.db', 'postgres://me:hush@host/tasks', ':memory:'].map((name) => [
      'DATABASE',
      name,
      'DATABASE: use the path of a file, and no URL',
    ]),
    ['AUTH_ISSUER', 'login', 'AUTH_ISSUER: Invalid URL'],
    ['AUTH_ISSUER', 'https://login.example?a=b', 'AUTH_ISSUER: must have no query and no fragment'],
    ...['http://login.example', 'http://localhost.example', 'http://localhost:a@login.example'].map(
      (url) => [
        'AUTH_JWKS',
        url,
        'AUTH_JWKS: must be an https: URL, or an http: URL of localhost or 127.0.0.1',
      ],
    ),
  ])('%s=%s: %s', async (name = '', value, says) => {
    const shape = { [name]: ALL[name] ?? z.never() };
    expect(await problems(shape, { [name]: value })).toBe(says);
  });

  it('print no text, which may be a secret, whatever is wrong with it', async () => {
    const texts = Object.keys(ALL).filter((name) => !QUOTABLE.includes(name));
    expect(texts.length).toBeGreaterThan(10);
    // Of a password's characters, with what makes texts valid lists, URLs and names.
    const character = fc.constantFrom(...'aZ09-_.,:/@#?%&= \'"{}[]\\');
    const secret = fc.string({ unit: character, minLength: 8, maxLength: 40 }).map(
      // Messages do not have it.
      (text) => `${text}q7`,
    );
    const prefix = fc.constantFrom('', 'https://', 'http://localhost:', 'postgres://u:', ',,');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...texts), prefix, secret, async (name, start, text) => {
        const said = await problems({ [name]: ALL[name] ?? z.never() }, { [name]: start + text });
        expect(said).not.toContain(text);
        for (const piece of text.split(/[,\s]+/).filter(({ length }) => length > 7)) {
          expect(said).not.toContain(piece);
        }
      }),
    );
  });

  it('print no secret that a message of the author quotes', async () => {
    const shape = {
      KEY: z.string().refine(() => false, { error: ({ input }) => `bad key ${String(input)}` }),
      KEYS: list().pipe(
        z.array(z.string().refine(() => false, { error: (issue) => `bad ${String(issue.input)}` })),
      ),
    };
    expect(await problems(shape, { KEY: 'hush-hush', KEYS: 'hush-1, hush-2' })).toBe(
      'KEY: is not valid\nKEYS: is not valid',
    );
  });
});

describe('the names of settings', () => {
  it('are those of one part', () => {
    expect(() =>
      mergedSettings([
        ['http()', http().settings],
        ['the settings of runServer', { PORT: z.string() }],
      ]),
    ).toThrow(
      new TypeError(
        'The setting PORT of the settings of runServer is one of http(): choose another name',
      ),
    );
  });

  it.each([
    [z.number().default(1), 'z.coerce.number()'],
    [z.int().optional(), 'z.coerce.number()'],
    [z.bigint(), 'z.coerce.bigint()'],
    [z.date(), 'z.coerce.date()'],
    [z.boolean(), 'z.stringbool()'],
    // It takes "false" for true.
    [z.coerce.boolean(), 'z.stringbool()'],
    [z.array(z.string()), 'list()'],
  ])('have schemas of texts: not %#, but %s', (schema, instead) => {
    expect(() => mergedSettings([['it', { LIMIT: schema }]])).toThrow(
      new TypeError(`The setting LIMIT is a text in the environment: use ${instead}`),
    );
  });

  it('of all parts have schemas of texts', () => {
    for (const [name, shape] of Object.entries(PROGRAMS)) {
      expect(mergedSettings([[name, shape]])).toEqual(shape);
    }
  });
});
