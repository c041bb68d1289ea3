import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import {
  DIALECT_VERSIONS,
  ERROR_CODES,
  EXTENSION_ID,
  META_KEYS,
  METHODS,
  PROTOCOL_VERSIONS,
  REVISIONS,
} from '../../runtime/protocol.js';
import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineTool,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { pipedTo } from '../support/stdio.js';
import { Driver, type Message } from './recording.js';
import { lines, validateText } from './support.js';

/** What a server refuses, and what `validate` finds in the same exchange, follow from the same rules. */

const clientInfo = { name: 'client', version: '1' };
const tool = defineTool({
  name: 'it',
  description: 'Answers at once.',
  input: z.object({}),
  taskSupport: 'optional',
  run: () => 'done',
});
const resource = defineResource({ uri: 'x:it', name: 'it', read: () => ({ text: '' }) });
const prompt = definePrompt({
  name: 'it',
  args: z.object({ city: z.string() }),
  complete: { city: () => ['Riga'] },
  get: () => 'Sunny',
});
const calls = { requests: { tools: { call: {} } } };
const ext = { extensions: { [EXTENSION_ID]: {} } };

const SERVERS: Readonly<Record<string, Partial<TaskServerOptions>>> = {
  'of nothing': { tools: [] },
  'of tools': { tools: [tool] },
  'of tools and tasks that are not listed or cancelled': {
    tools: [tool],
    capabilities: { core: { tasks: calls } },
  },
  'of tools and the extension': { tools: [tool], capabilities: { ext } },
  'of resources': { tools: [], resources: [resource] },
  'of prompts and logs': { tools: [], prompts: [prompt], logging: true },
  'of everything': { tools: [tool], resources: [resource], prompts: [prompt], logging: true },
};

/** Valid params, where a method needs some. */
const PARAMS: Readonly<Record<string, readonly Message[]>> = {
  [METHODS.completionComplete]: [
    { ref: { type: 'ref/prompt', name: 'it' }, argument: { name: 'city', value: '' } },
  ],
  [METHODS.elicitationCreate]: [
    { message: '', requestedSchema: { type: 'object', properties: {} } },
  ],
  [METHODS.loggingSetLevel]: [{ level: 'info' }],
  [METHODS.promptsGet]: [{ name: 'it', arguments: { city: 'Riga' } }],
  [METHODS.resourcesRead]: [{ uri: 'x:it' }],
  [METHODS.resourcesSubscribe]: [{ uri: 'x:it' }],
  [METHODS.resourcesUnsubscribe]: [{ uri: 'x:it' }],
  [METHODS.samplingCreateMessage]: [{ messages: [], maxTokens: 1 }],
  [METHODS.subscriptionsListen]: [
    { notifications: { toolsListChanged: true } },
    { notifications: { taskIds: ['none'] } },
  ],
  [METHODS.tasksCancel]: [{ taskId: 'none' }],
  [METHODS.tasksGet]: [{ taskId: 'none' }],
  [METHODS.tasksResult]: [{ taskId: 'none' }],
  [METHODS.tasksUpdate]: [{ taskId: 'none', inputResponses: {} }],
  [METHODS.toolsCall]: [{ name: 'it', arguments: {} }],
};

/** The requests of all revisions. A client may not send all of them. */
let requests: readonly (readonly [method: string, params: Message])[] = [];
beforeAll(async () => {
  const all = await Promise.all(
    [...Object.values(PROTOCOLS.revisions), ...PROTOCOLS.extensions.map(({ load }) => load)].map(
      (load) => load(),
    ),
  );
  const methods = new Set(all.flatMap(({ tables }) => Object.keys(tables.requests)));
  methods.delete(METHODS.initialize);
  requests = [...methods].flatMap((method) =>
    (PARAMS[method] ?? [{}]).map((params) => [method, params] as const),
  );
});

/** The codes of answers to what a client may not ask this server for. */
const REFUSED: readonly unknown[] = [
  ERROR_CODES.MethodNotFound,
  ERROR_CODES.MissingRequiredClientCapability,
];

/** A conversation that has begun. */
async function begun(
  options: Partial<TaskServerOptions>,
  version: keyof typeof REVISIONS,
  capabilities: Message,
): Promise<Driver> {
  const server = await createTaskServer({
    ...clientInfo,
    tools: [],
    onError: () => undefined,
    ...options,
  });
  onTestFinished(() => server.close(0));
  const isStateless = REVISIONS[version].dialect === 'ext';
  const meta = {
    [META_KEYS.protocolVersion]: version,
    [META_KEYS.clientInfo]: clientInfo,
    [META_KEYS.clientCapabilities]: capabilities,
  };
  // An answer to a question ends the call that waits for it.
  const driver = new Driver(pipedTo(server), isStateless ? meta : undefined, () => ({}));
  await driver.start();
  if (isStateless) await driver.request(METHODS.serverDiscover);
  else {
    await driver.request(METHODS.initialize, {
      ...{ protocolVersion: version, capabilities, clientInfo },
    });
    await driver.notify(METHODS.notificationsInitialized);
  }
  return driver;
}

/**
 * A session of the first revision cannot declare completions: a server that completes nothing does not have the method, and
 * a client cannot see that.
 */
async function isUndeclarable(version: string, method: string): Promise<boolean> {
  if (method !== METHODS.completionComplete) return false;
  const { tables } = (await PROTOCOLS.revisions[version]?.()) ?? {};
  return tables?.requests[method]?.capabilities.length === 0;
}

describe.each(Object.entries(SERVERS))('a server %s', (_, options) => {
  describe.each(PROTOCOL_VERSIONS)('in %s', (version) => {
    it.each([
      ['the extension', ext],
      ['nothing', {}],
    ])(
      'BASE-CAP-1 EXT-CAP-3 refuses a client that declares %s those requests in which validate finds a fault',
      async (_, capabilities) => {
        const driver = await begun(options, version, capabilities);
        const refused: number[] = [];
        for (const [method, params] of requests) {
          if (await isUndeclarable(version, method)) continue;
          const { id, answer } = driver.open(method, params);
          const acknowledged = driver.heard(({ params }) => {
            const meta = (params as Message | undefined)?.['_meta'] as Message | undefined;
            return meta?.[META_KEYS.subscriptionId] === id;
          });
          const error = (await Promise.race([answer, acknowledged]))?.['error'];
          if (REFUSED.includes((error as Message | undefined)?.['code'])) refused.push(id);
        }
        const { findings } = await validateText(lines(...driver.lines));
        const texts = findings.map(({ line, message }) => `${line}: ${message}`).join('\n');
        const asked = (id: number): number =>
          driver.lines.findIndex(({ message }) => message['id'] === id) + 1;
        expect([...new Set(findings.map(({ line }) => line))], texts).toEqual(refused.map(asked));
      },
    );
  });
});

const FORM = { message: 'm', requestedSchema: { type: 'object', properties: {} } };
const TEXT = [{ role: 'user', content: { type: 'text', text: 'Hi' } }];
const toUse = [{ name: 't', inputSchema: { type: 'object' } }];
const SAMPLE = { messages: TEXT, maxTokens: 1 };
const ELICIT = METHODS.elicitationCreate;
const SAMPLING = METHODS.samplingCreateMessage;

/** What a server may ask, by a name. */
const QUESTIONS: Readonly<Record<string, readonly [method: string, params: Message]>> = {
  form: [ELICIT, FORM],
  'form by its name': [ELICIT, { mode: 'form', ...FORM }],
  link: [ELICIT, { mode: 'url', message: 'm', url: 'https://x.example/', elicitationId: 'e' }],
  model: [SAMPLING, SAMPLE],
  'model without context': [SAMPLING, { ...SAMPLE, includeContext: 'none' }],
  'model with context': [SAMPLING, { ...SAMPLE, includeContext: 'thisServer' }],
  'model with tools': [SAMPLING, { ...SAMPLE, tools: toUse }],
  'model with a choice': [SAMPLING, { ...SAMPLE, toolChoice: { mode: 'none' } }],
  'model with all': [SAMPLING, { ...SAMPLE, tools: toUse, includeContext: 'allServers' }],
  roots: [METHODS.rootsList, {}],
};
const DECLARED: readonly Message[] = [
  {},
  { elicitation: {} },
  { elicitation: { form: {} } },
  { elicitation: { url: {} } },
  { elicitation: { form: {}, url: {} }, roots: {} },
  { sampling: {} },
  { sampling: { tools: {} } },
  { sampling: { context: {} } },
  { sampling: { tools: {}, context: {} } },
];
const EVERYTHING = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
};
const asker = defineTool({
  name: 'ask',
  description: 'Asks the client.',
  retryable: true,
  input: z.object({ question: z.string() }),
  async run({ args, task }) {
    const [method, params] = QUESTIONS[args.question] ?? ['', {}];
    await task.input(method, params);
    return 'done';
  },
});

/** The conversation up to the question, and whether the server asked it. */
async function asked(
  version: keyof typeof REVISIONS,
  question: string,
  capabilities: Message,
): Promise<{ readonly lines: Driver['lines']; readonly isAsked: boolean }> {
  const driver = await begun({ tools: [asker] }, version, capabilities);
  const { answer } = driver.open(METHODS.toolsCall, { name: 'ask', arguments: { question } });
  const [method] = QUESTIONS[question] ?? [];
  const given = await answer;
  const place = driver.lines.findIndex(({ message }) => message['method'] === method);
  if (place >= 0) return { lines: driver.lines.slice(0, place + 1), isAsked: true };
  const result = given['result'] as Message | undefined;
  return { lines: driver.lines, isAsked: result?.['resultType'] === 'input_required' };
}

/** The same messages of a client that declares other capabilities. */
function redeclared(all: Driver['lines'], capabilities: Message): string {
  const text = lines(...all);
  return text.replaceAll(JSON.stringify(EVERYTHING), JSON.stringify(capabilities));
}

/** Before a revision had links, each client that can be asked takes forms. The server refuses one that may only take links. */
const isStricter = (version: string, question: string, { elicitation }: Message): boolean =>
  version < DIALECT_VERSIONS.core &&
  question.startsWith('form') &&
  Object.keys(elicitation ?? {}).join() === 'url';

describe.each(PROTOCOL_VERSIONS)('in %s', (version) => {
  it.each(Object.keys(QUESTIONS))(
    'BASE-CAP-1 BASE-CAP-2 a server asks for %s the clients for which validate allows it',
    async (question) => {
      const full = await asked(version, question, EVERYTHING);
      if (version >= DIALECT_VERSIONS.core) expect(full.isAsked).toBe(true);
      const verdicts: unknown[] = [];
      for (const capabilities of DECLARED) {
        const { isAsked } = await asked(version, question, capabilities);
        const { findings } = await validateText(redeclared(full.lines, capabilities));
        if (!full.isAsked) {
          // The revision does not have it.
          if (isAsked) verdicts.push({ capabilities, isAsked });
          continue;
        }
        const found = findings.map(({ code, message }) => `${code}: ${message}`);
        if (isAsked !== (found.length === 0) && !isStricter(version, question, capabilities))
          verdicts.push({ capabilities, isAsked, found });
      }
      expect(verdicts).toEqual([]);
    },
  );
});
