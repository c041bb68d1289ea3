import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { fromJsonSchema, McpServer, type RegisteredTool } from '@modelcontextprotocol/server';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
import { type } from 'arktype';
import * as v from 'valibot';
import * as z from 'zod';

import * as generated from '../../generated/2025-11-25/standard.js';
import * as inZod from '../../generated/2025-11-25/zod.js';
import { defineTool, type ObjectSchema } from '../../runtime/server/index.js';
import type { Bench, Row } from '../bench.js';
import { measured, OURS } from '../measured.js';

const ROUNDS = 15;
const CALLS = 20_000;
const SDK = 'SDK v2';

const forecast = { city: 'Bonn', days: 3, units: 'metric', tags: ['a', 'b', 'c'] };
const link = {
  type: 'resource_link',
  name: 'report',
  uri: 'https://files.example/report.pdf',
  mimeType: 'application/pdf',
  size: 48_213,
  annotations: { audience: ['user', 'assistant'], priority: 0.5 },
  icons: [{ src: 'https://files.example/icon.png', mimeType: 'image/png', sizes: ['48x48'] }],
};

const sampling = {
  messages: [
    { role: 'user', content: { type: 'text', text: 'How is the weather in Bonn?' } },
    { role: 'assistant', content: { type: 'text', text: 'Sunny.' } },
  ],
  maxTokens: 200,
  temperature: 0.5,
  modelPreferences: { hints: [{ name: 'small' }], speedPriority: 0.8 },
};

const json = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    days: { type: 'integer', minimum: 1, maximum: 14 },
    units: { type: 'string', enum: ['metric', 'imperial'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['city'],
} as const;

type Schema = ObjectSchema & Parameters<McpServer['registerTool']>[1]['inputSchema'];

type Case = readonly [
  name: string,
  ours: ObjectSchema,
  theirs: unknown,
  args: object,
  most: number,
];

/** Schemas of the same arguments: ours, and as the official SDK takes them. */
const CASES: readonly Case[] = [
  same(
    'Zod',
    z.object({
      city: z.string().min(1),
      days: z.int().min(1).max(14).optional(),
      units: z.enum(['metric', 'imperial']).optional(),
      tags: z.array(z.string()).optional(),
    }),
  ),
  same(
    'ArkType',
    type({
      city: 'string >= 1',
      'days?': '1 <= number.integer <= 14',
      'units?': "'metric' | 'imperial'",
      'tags?': 'string[]',
    }),
  ),
  same(
    'Valibot',
    toStandardJsonSchema(
      v.object({
        city: v.pipe(v.string(), v.minLength(1)),
        days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(14))),
        units: v.optional(v.picklist(['metric', 'imperial'])),
        tags: v.optional(v.array(v.string())),
      }),
    ),
  ),
  [
    'plain JSON Schema, beside @cfworker/json-schema',
    json,
    fromJsonSchema(json, new CfWorkerJsonSchemaValidator()),
    forecast,
    1 / 5,
  ],
  beside('CreateMessageRequestParams', sampling),
  // Two of its members are URIs, which both check.
  beside('ResourceLink', link),
];

function same(name: string, schema: ObjectSchema): Case {
  return [name, schema, schema, forecast, 1];
}

function beside(name: 'CreateMessageRequestParams' | 'ResourceLink', args: object): Case {
  const title = `the generated ${name}, beside its Zod schema`;
  return [title, generated[`${name}Schema`], inZod[`${name}Schema`], args, 1 / 5];
}

/** The arguments of a call, checked by the schema of its tool: by our server and by the official SDK's. */
export const toolArguments: Bench = {
  name: 'schemas/arguments',
  run: async () => {
    const rows: Row[] = [];
    for (const each of CASES) rows.push(await rowOf(...each));
    return rows;
  },
};

async function rowOf(
  name: string,
  ours: ObjectSchema,
  theirs: unknown,
  args: object,
  most: number,
): Promise<Row> {
  const check = await checkOfOurs(ours);
  const sdk = checkOfSdk(theirs as Schema);
  // The SDK's check rejects for what it refuses.
  await sdk(args);
  const refused = await check({ ...args, city: 0, uri: 0, messages: 0 });
  if ((await check(args)) !== undefined || refused === undefined)
    throw new Error(`${name}: judged wrongly`);
  const samples: Record<string, number[]> = { [OURS]: [], [SDK]: [] };
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const jobs: [string, (args: unknown) => Promise<unknown>][] = [
      [OURS, check],
      [SDK, sdk],
    ];
    for (const [contender, job] of round % 2 === 0 ? jobs : jobs.reverse()) {
      const start = process.cpuUsage();
      for (let call = 0; call < CALLS; call += 1) await job(args);
      const { user, system } = process.cpuUsage(start);
      if (round > 0) samples[contender]?.push((user + system) / CALLS);
    }
  }
  return measured({
    row: `arguments of a call: ${name}`,
    unit: 'µs',
    better: 'less',
    bars: samples,
    times: { [SDK]: most },
  });
}

async function checkOfOurs(input: ObjectSchema): Promise<(args: unknown) => Promise<unknown>> {
  const tool = defineTool({ name: 'tool', description: 'A tool.', input, run: () => 'ran' });
  await tool.load();
  return tool.validationError;
}

/** What the official SDK calls for each request, before the handler of the tool. */
interface Validating {
  validateToolInput(tool: RegisteredTool, args: unknown, name: string): Promise<unknown>;
}

function checkOfSdk(inputSchema: Schema): (args: unknown) => Promise<unknown> {
  const server = new McpServer({ name: 'sdk', version: '1.0.0' });
  const registered = server.registerTool('tool', { inputSchema }, () => ({ content: [] }));
  const validating = server as unknown as Validating;
  return (args) => validating.validateToolInput(registered, args, 'tool');
}
