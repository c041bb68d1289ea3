import type { Server } from './client.js';
import { expectIn } from './flows.js';
import {
  ANSWER,
  GREETING,
  greetingOf,
  itemUri,
  ITEMS,
  PROMPT,
  resourcesOf,
  TIMES,
  TOOL,
} from './offered.js';
import type { Runner, Worker } from './rates.js';
import {
  type Client,
  clientIn,
  endOf,
  INITIALIZE,
  modernClient,
  openSession,
  requestsTo,
  type Session,
  sessionIn,
} from './requests.js';
import { isWhole, openWire } from './wire.js';

/** The work of each feature. Each answer is checked, so that an error does not count as speed. */

/** Opens a session, which ends after the round. */
export function initializing(server: Server): Runner {
  const opening = requestsTo(server.url, {})(INITIALIZE);
  return {
    server,
    async open() {
      const { ask, close } = await openWire(server.url);
      const opened: string[] = [];
      return {
        async work() {
          const answer = await ask(opening);
          expectIn(answer, '"protocolVersion":"2025-');
          opened.push(sessionIn(answer));
        },
        async close() {
          for (const id of opened) await ask(endOf(server.url, id));
          close();
        },
      };
    },
  };
}

export const reading = (server: Server, client: Client): Runner =>
  asking(server, client, 'resources/read', { uri: GREETING.uri }, `"text":"${GREETING.text}"`);

export const prompting = (server: Server, client: Client): Runner =>
  asking(server, client, 'prompts/get', { name: PROMPT.name }, `"text":"${PROMPT.text}"`);

/** A call with notifications of its progress, all of which the client reads. */
export function progressing(server: Server, client: Client): Runner {
  let calls = 0;
  return simple(server, async (ask) => {
    const _meta = { progressToken: (calls += 1) };
    const answer = await ask(client('tools/call', { name: TOOL.steps, arguments: {}, _meta }));
    expectIn(answer, '"text":"done"');
    expectTimes(answer, '"method":"notifications/progress"');
  });
}

/** A call in a session: the server asks on the stream of the call, and the client posts the answer. */
export function questioning(server: Server, { post }: Session): Runner {
  let calls = 0;
  return {
    server,
    async open() {
      const [call, answers] = [await openWire(server.url), await openWire(server.url)];
      return {
        async work() {
          const params = { name: TOOL.ask, arguments: {} };
          call.send(post({ id: (calls += 1), method: 'tools/call', params }));
          const id = questionIn(await call.see((text) => asks(text) || isWhole(text)));
          const taken = await answers.ask(post({ id, result: ANSWER }));
          if (!taken.startsWith('HTTP/1.1 202 ')) throw new Error(`Not taken: ${taken}`);
          expectIn(await call.take(isWhole), GREETED);
        },
        close() {
          call.close();
          answers.close();
        },
      };
    },
  };
}

/** Two round trips in 2026-07-28: the first answer is the question. */
export function questioningTwice(server: Server, client: Client): Runner {
  const params = { name: TOOL.ask, arguments: {} };
  return {
    ...simple(server, async (ask) => {
      const asked = await ask(client('tools/call', params));
      expectIn(asked, '"resultType":"input_required"');
      const { inputRequests, requestState } = resultIn(asked);
      const [key = ''] = Object.keys(inputRequests);
      const again = { ...params, inputResponses: { [key]: ANSWER }, requestState };
      expectIn(await ask(client('tools/call', again)), GREETED);
    }),
    requests: 2,
  };
}

/**
 * In a session with an open stream, which follows all resources of an item but one: follow the last one, call the tool
 * that changes all, get all notifications, and stop following the one.
 */
export function following(server: Server): Runner {
  return {
    server,
    requests: 3,
    async open(index) {
      const session = await openSession(server.url);
      const client = clientIn(session);
      const [wire, stream] = [await openWire(server.url), await openWire(server.url)];
      stream.send(session.get);
      expectIn(await stream.take(hasHead), 'text/event-stream');
      const item = itemUri(index % ITEMS);
      const [uri = '', ...others] = resourcesOf(item);
      for (const each of others) await wire.ask(client('resources/subscribe', { uri: each }));
      return {
        async work() {
          expectIn(await wire.ask(client('resources/subscribe', { uri })), '"result":{');
          await touch(wire.ask, client, item);
          await stream.take(hasUpdates);
          expectIn(await wire.ask(client('resources/unsubscribe', { uri })), '"result":{');
        },
        async close() {
          stream.close();
          await wire.ask(session.end);
          wire.close();
        },
      };
    },
  };
}

/** In 2026-07-28: open a stream, call the tool, get all notifications, and hang up. */
export function listeningTo(server: Server): Runner {
  const client = modernClient(server.url);
  return {
    server,
    requests: 2,
    async open(index): Promise<Worker> {
      const { ask, close } = await openWire(server.url);
      const item = itemUri(index % ITEMS);
      const resources = resourcesOf(item);
      const params = { notifications: { resourceSubscriptions: resources } };
      return {
        async work() {
          const stream = await openWire(server.url);
          stream.send(client('subscriptions/listen', params));
          const accepted = await stream.take((text) => acknowledges(text) || isWhole(text));
          expectIn(accepted, `"resourceSubscriptions":${JSON.stringify(resources)}`);
          await touch(ask, client, item);
          await stream.take(hasUpdates);
          stream.close();
        },
        close,
      };
    },
  };
}

type Ask = (request: string) => Promise<string>;

function simple(server: Server, work: (ask: Ask) => Promise<void>): Runner {
  return {
    server,
    async open() {
      const { ask, close } = await openWire(server.url);
      return { work: () => work(ask), close };
    },
  };
}

const asking = (
  server: Server,
  client: Client,
  method: string,
  params: object,
  wanted: string,
): Runner => simple(server, async (ask) => expectIn(await ask(client(method, params)), wanted));

async function touch(ask: Ask, client: Client, uri: string): Promise<void> {
  const params = { name: TOOL.touch, arguments: { uri } };
  expectIn(await ask(client('tools/call', params)), '"text":"done"');
}

const GREETED = `"text":"${greetingOf(ANSWER.content.name)}"`;

const hasHead = (text: string): boolean => text.includes('\r\n\r\n');
const asks = (text: string): boolean => hasEvent(text, '"method":"elicitation/create"');
const acknowledges = (text: string): boolean =>
  hasEvent(text, '"method":"notifications/subscriptions/acknowledged"');
const hasUpdates = (text: string): boolean =>
  timesOf(text, UPDATED) >= TIMES && text.includes('\n\n', text.lastIndexOf(UPDATED));

/** Whether the event that contains a text has ended. */
function hasEvent(text: string, within: string): boolean {
  const at = text.indexOf(within);
  return at >= 0 && text.includes('\n\n', at);
}

function questionIn(text: string): unknown {
  const event = text.split('\n').find((line) => line.startsWith('data: ') && line.includes(ASKS));
  if (event === undefined) throw new Error(`No question: ${text}`);
  return (JSON.parse(event.slice('data: '.length)) as { readonly id: unknown }).id;
}

const UPDATED = '"method":"notifications/resources/updated"';
const ASKS = '"elicitation/create"';

interface Asked {
  readonly inputRequests: object;
  readonly requestState?: string;
}

/** The result in a JSON body, or in an event. */
function resultIn(answer: string): Asked {
  const from = answer.indexOf('{', answer.indexOf('\r\n\r\n'));
  const line = /.*/.exec(answer.slice(from))?.[0] ?? '';
  return (JSON.parse(line) as { readonly result: Asked }).result;
}

function expectTimes(text: string, each: string): void {
  const times = timesOf(text, each);
  if (times !== TIMES) throw new Error(`${String(times)} × ${each}: ${text}`);
}

function timesOf(text: string, each: string): number {
  let times = 0;
  for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + each.length)) times += 1;
  return times;
}
