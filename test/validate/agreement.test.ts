import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { createGuard } from '../../contracts/recording/guard/index.js';
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
  type TaskServer,
  type TaskServerOptions,
} from '../../runtime/server/index.js';
import { FILTERS, LOG_LEVELS } from '../../runtime/rules/messages.js';
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
  return met(server, version, capabilities);
}

/** A client's conversation with a server. */
async function met(
  server: TaskServer,
  version: keyof typeof REVISIONS,
  capabilities: Message,
): Promise<Driver> {
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

/** The conversation up to the answer to a call of this tool, with these members of `_meta`. */
async function called(driver: Driver, name: string, _meta: Message = {}): Promise<Driver['lines']> {
  await driver.request(METHODS.toolsCall, { name, arguments: {}, _meta });
  return driver.lines;
}

/** Codes and texts of what `validate` finds in the messages of the server. */
async function faultsIn(all: Driver['lines']): Promise<string[]> {
  const { findings } = await validateText(lines(...all));
  return findings
    .filter(({ from }) => from === 'server')
    .map(({ code, message }) => `${code}: ${message}`);
}

const logger = defineTool({
  name: 'log',
  description: 'Logs at all levels.',
  input: z.object({}),
  run({ request }) {
    for (const level of LOG_LEVELS) request?.log(level, level);
    return 'done';
  },
});

describe.each(PROTOCOL_VERSIONS)('in %s', (version) => {
  it.each(LOG_LEVELS)('a server logs from %s on what validate allows', async (least) => {
    const driver = await begun({ tools: [logger], logging: true }, version, {});
    const isStateless = REVISIONS[version].dialect === 'ext';
    if (!isStateless) await driver.request(METHODS.loggingSetLevel, { level: least });
    const all = await called(driver, 'log', isStateless ? { [META_KEYS.logLevel]: least } : {});
    const isLog = ({ message }: Driver['lines'][number]): boolean =>
      message['method'] === METHODS.notificationsMessage;
    const sent = all.filter(isLog).map(({ message }) => (message['params'] as Message)['level']);
    const [first] = all.filter(isLog);
    const allowed: string[] = [];
    for (const level of LOG_LEVELS) {
      const params = { ...(first?.message['params'] as Message), level };
      const log = { direction: 'server', message: { ...first?.message, params } } as const;
      const others = all.filter((line) => !isLog(line));
      if ((await faultsIn([...others.slice(0, -1), log, ...others.slice(-1)])).length === 0)
        allowed.push(level);
    }
    expect(sent).toEqual(allowed);
  });

  it.each([
    ['resource', METHODS.resourcesRead, { uri: 'x:none' }],
    ['tool', METHODS.toolsCall, { name: 'none', arguments: {} }],
    ['prompt', METHODS.promptsGet, { name: 'none' }],
  ])('the error for an unknown %s is faultless', async (_, method, params) => {
    const driver = await begun(
      { tools: [tool], resources: [resource], prompts: [prompt] },
      version,
      {},
    );
    expect(await driver.request(method, params)).toHaveProperty('error');
    expect(await faultsIn(driver.lines)).toEqual([]);
  });
});

it.each(PROTOCOL_VERSIONS)(
  'what a server of %s says to a client of an unknown revision is faultless',
  async (version) => {
    const driver = await begun({ tools: [tool] }, version, {});
    const protocolVersion = '1999-01-01';
    const { answer } =
      REVISIONS[version].dialect === 'ext'
        ? driver.open(METHODS.toolsList, {
            _meta: { [META_KEYS.protocolVersion]: protocolVersion },
          })
        : driver.open(METHODS.initialize, { protocolVersion, capabilities: {}, clientInfo });
    await answer;
    expect(await faultsIn(driver.lines)).toEqual([]);
  },
);

/** What a filter asks for of the server below. */
const ASKED: Readonly<Record<keyof typeof FILTERS, unknown>> = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ['x:it'],
  taskIds: undefined,
};

describe.each(PROTOCOL_VERSIONS.filter((version) => REVISIONS[version].dialect === 'ext'))(
  'in %s',
  (version) => {
    it.each(Object.keys(FILTERS) as (keyof typeof FILTERS)[])(
      'a subscription by %s gets what validate allows',
      async (name) => {
        const waiting = defineTool({
          name: 'wait',
          description: 'Waits for a cancellation.',
          input: z.object({}),
          taskSupport: 'required',
          run: ({ task }) =>
            new Promise<string>((done) =>
              task.signal.addEventListener('abort', () => {
                done('');
              }),
            ),
        });
        const server = await createTaskServer({
          ...clientInfo,
          ...{ tools: [waiting], resources: [resource], prompts: [prompt] },
          onError: () => undefined,
        });
        const driver = await met(server, version, ext);
        const created = await driver.request(METHODS.toolsCall, { name: 'wait', arguments: {} });
        const { taskId } = created['result'] as Message;
        const filters = { ...ASKED, taskIds: [taskId] };
        const listen = (notifications: object): Promise<void> => {
          const { id } = driver.open(METHODS.subscriptionsListen, { notifications });
          return driver.heard((message) => subscribed(message) === id);
        };
        await listen(filters);
        const one = driver.lines.length;
        await listen({ [name]: filters[name] });
        const id = driver.lines[one]?.message['id'];
        server.notify.toolsChanged();
        server.notify.promptsChanged();
        server.notify.resourcesChanged();
        server.notify.resourceUpdated('x:it');
        await driver.request(METHODS.tasksCancel, { taskId });
        const methods = new Set<unknown>(Object.values(FILTERS).map(({ method }) => method));
        for (const method of methods) await driver.heard((message) => message['method'] === method);
        const { method } = FILTERS[name];
        await driver.heard((each) => each['method'] === method && subscribed(each) === id);
        expect(await faultsIn(driver.lines)).toEqual([]);

        const news = driver.lines.filter(({ message }) => methods.has(message['method']));
        const others = driver.lines.filter(({ message }) => !methods.has(message['method']));
        const allowed = new Set<unknown>();
        for (const { message } of news) {
          const { _meta, ...params } = message['params'] as Message;
          const moved = {
            ...params,
            _meta: { ...(_meta as Message), [META_KEYS.subscriptionId]: id },
          };
          const line = { direction: 'server', message: { ...message, params: moved } } as const;
          if ((await faultsIn([...others, line])).length === 0) allowed.add(message['method']);
        }
        const sent = news.filter(({ message }) => subscribed(message) === id);
        expect(new Set(sent.map((each) => each.message['method']))).toEqual(allowed);
      },
    );
  },
);

/** The subscription that a notification belongs to. */
function subscribed({ params }: Message): unknown {
  return ((params as Message | undefined)?.['_meta'] as Message | undefined)?.[
    META_KEYS.subscriptionId
  ];
}

/** Every request of every revision, valid and without its params, and without what it has to declare. */
describe.each(PROTOCOL_VERSIONS)('in %s', (version) => {
  it('guard answers in the place of a server what validate takes', async () => {
    const isStateless = REVISIONS[version].dialect === 'ext';
    const guard = createGuard({ protocols: PROTOCOLS, enforce: true, onFinding: () => undefined });
    const all: Driver['lines'] = [];
    const pass = async (direction: 'client' | 'server', message: Message): Promise<unknown> => {
      all.push({ direction, message });
      const ruling = await guard.see({ from: direction, session: 1, message });
      if (ruling?.back !== undefined)
        all.push({ direction: 'server', message: ruling.back as Message });
      return ruling?.back;
    };
    const jsonrpc = '2.0';
    const capabilities = {};
    if (!isStateless) {
      const params = { protocolVersion: version, capabilities, clientInfo };
      await pass('client', { jsonrpc, id: 'first', method: METHODS.initialize, params });
      const result = { protocolVersion: version, capabilities, serverInfo: clientInfo };
      await pass('server', { jsonrpc, id: 'first', result });
      await pass('client', { jsonrpc, method: METHODS.notificationsInitialized });
    }
    const meta = {
      [META_KEYS.protocolVersion]: version,
      [META_KEYS.clientInfo]: clientInfo,
      [META_KEYS.clientCapabilities]: capabilities,
    };
    let refused = 0;
    for (const [method, params] of requests) {
      for (const each of [params, {}, { ...params, name: 1, cursor: 1 }]) {
        const own = isStateless ? { ...each, _meta: meta } : each;
        const back = await pass('client', {
          jsonrpc,
          id: `${String(refused)} ${method} ${String(all.length)}`,
          method,
          params: own,
        });
        if (back !== undefined) refused += 1;
      }
    }
    const unknown = { ...meta, [META_KEYS.protocolVersion]: '1999-01-01' };
    const strange = {
      jsonrpc,
      id: 'strange',
      method: METHODS.toolsList,
      params: { _meta: unknown },
    };
    if (isStateless) expect(await pass('client', strange)).toBeDefined();
    expect(refused).toBeGreaterThan(requests.length);
    expect(await faultsIn(all)).toEqual([]);
  });
});
