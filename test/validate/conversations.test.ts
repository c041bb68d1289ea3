import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import {
  createTaskClient,
  type InputHandlers,
  type TaskClient,
} from '../../runtime/client/index.js';
import { PROTOCOL_VERSIONS } from '../../runtime/protocol.js';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineTool,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { sized } from '../support/size.js';
import { pipedTo } from '../support/stdio.js';
import { type Line, recorded } from './recording.js';
import { lines, validateText } from './support.js';

/** Drawn conversations of a client and a server of the runtime. */

const INFO = { name: 'test', version: '1' };
const FORM = { type: 'object', properties: { name: { type: 'string' } } };
const TEXT = { role: 'user', content: { type: 'text', text: 'Hi' } };
const ASKED = {
  form: ['elicitation/create', { message: 'm', requestedSchema: FORM }],
  url: [
    'elicitation/create',
    { mode: 'url', message: 'm', url: 'https://x.example/', elicitationId: 'e' },
  ],
  model: ['sampling/createMessage', { messages: [TEXT], maxTokens: 1 }],
  context: [
    'sampling/createMessage',
    { messages: [TEXT], maxTokens: 1, includeContext: 'thisServer' },
  ],
  roots: ['roots/list', {}],
} as const;
type Question = keyof typeof ASKED;

const input = z.object({
  asks: z.array(z.enum(Object.keys(ASKED) as Question[])),
  fails: z.boolean(),
});
const tools = (['forbidden', 'optional', 'required'] as const).map((taskSupport) =>
  defineTool({
    name: taskSupport,
    description: 'Asks, reports and ends.',
    input,
    taskSupport,
    retryable: true,
    async run({ args, task, request }) {
      request?.log('warning', 'It runs');
      task.progress({ progress: 1 });
      for (const each of args.asks) {
        const [method, params] = ASKED[each];
        await task.input(method, params);
      }
      if (args.fails) throw new Error('It failed');
      return 'done';
    },
  }),
);
const resources = [defineResource({ uri: 'x:it', name: 'it', read: () => ({ text: '' }) })];
const prompts = [
  definePrompt({
    name: 'it',
    args: z.object({ city: z.string() }),
    complete: { city: () => ['Riga'] },
    get: () => 'Sunny',
  }),
];

const FEATURES = { tools, resources, prompts, logging: true } satisfies Partial<TaskServerOptions>;
const features = fc.subarray(Object.keys(FEATURES) as (keyof typeof FEATURES)[]);

const HANDLERS: Required<InputHandlers> = {
  form: () => ({ action: 'accept', content: { name: 'Ann' } }),
  url: () => ({ action: 'accept' }),
  sampling: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'Hi' } }),
  roots: () => ({ roots: [{ uri: 'file:///x' }] }),
};
const handlers = fc.subarray(Object.keys(HANDLERS) as (keyof InputHandlers)[]);

function picked<T extends object>(all: T, names: readonly (keyof T)[]): Partial<T> {
  return Object.fromEntries(names.map((name) => [name, all[name]])) as Partial<T>;
}

/** What an application does with a feature. The client sends what it is asked for, also where the server has no such feature. */
interface Step {
  readonly feature: keyof typeof FEATURES;
  readonly what: string;
  readonly run: (client: TaskClient) => Promise<unknown>;
}

const step = (feature: Step['feature'], what: string, run: Step['run']): Step => ({
  feature,
  what,
  run,
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc
    .record({
      tool: fc.constantFrom('forbidden', 'optional', 'required', 'none'),
      asks: fc.array(fc.constantFrom(...(Object.keys(ASKED) as Question[])), { maxLength: 2 }),
      fails: fc.boolean(),
      asTask: fc.boolean(),
      isStopped: fc.boolean(),
    })
    .map((drawn) =>
      step('tools', `call ${JSON.stringify(drawn)}`, async (client) => {
        const { tool, asks, fails, asTask, isStopped } = drawn;
        const onProgress = (): void => undefined;
        const handle = await client.start(tool, { asks, fails }, { asTask, onProgress });
        if (isStopped) await handle.cancel();
        return handle.result();
      }),
    ),
  fc.constantFrom<Step>(
    step('tools', 'tools', (client) => client.tools()),
    step('prompts', 'prompts', (client) => client.prompts()),
    step('prompts', 'prompt', (client) => client.prompt('it', { city: 'Riga' })),
    step('prompts', 'complete', (client) =>
      client.complete({ prompt: 'it' }, { name: 'city', value: 'R' }),
    ),
    step('resources', 'resources', (client) => client.resources()),
    step('resources', 'templates', (client) => client.resourceTemplates()),
    step('resources', 'read', (client) => client.read('x:it')),
    step('resources', 'read none', (client) => client.read('x:none')),
    step('resources', 'subscribe', async (client) => {
      const open = await client.subscribe({ tools: true, uris: ['x:it'] }, () => undefined);
      await open.close();
    }),
    step('logging', 'level', (client) => client.setLogLevel('info')),
  ),
);

describe.each(PROTOCOL_VERSIONS)('in %s', (version) => {
  it('BASE-CAP-1 BASE-CAP-2 CORE-INP-2 validate finds nothing in what client and server send', async () => {
    await fc.assert(
      fc.asyncProperty(
        features,
        handlers,
        fc.boolean(),
        fc.array(steps, { minLength: 1, maxLength: 6 }),
        async (offered, answered, isReceiver, drawn) => {
          const server = await createTaskServer({
            ...INFO,
            tools: [],
            pollInterval: 5,
            onError: () => undefined,
            ...picked(FEATURES, offered),
          });
          const all: Line[] = [];
          const client = createTaskClient({
            ...INFO,
            revisions: [version],
            answer: picked(HANDLERS, answered),
            onError: () => undefined,
            ...(isReceiver && { receiver: {} }),
          });
          const transport = pipedTo(server);
          await client.connect(recorded(transport, all));
          for (const { feature, run } of drawn) {
            if (offered.includes(feature)) await run(client).catch(() => undefined);
          }
          await client.close();
          await server.close(0);
          const { findings } = await validateText(lines(...all), { extensions: [] });
          expect(
            findings.map(
              ({ line, code, message }) =>
                `${line} ${code}: ${message} ${JSON.stringify(all[line - 1])}`,
            ),
          ).toEqual([]);
        },
      ),
      { numRuns: sized(100), endOnFailure: true },
    );
  }, 120_000);
});
