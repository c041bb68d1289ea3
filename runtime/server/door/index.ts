import type { AuthInfo } from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import { type JsonObject, TransientSet } from '../../tasks/index.js';
import type { Operations } from '../../telemetry/index.js';
import type { Revision } from '../../wire/revision.js';
import type { Answers } from '../connection.js';
import type { Answered, Incoming } from '../incoming.js';
import { type Answer, withoutResponses } from '../sdk/index.js';
import type { ServerTool } from '../tool.js';
import type { Accepted } from './accepted.js';
import { Exchange } from './exchange.js';
import { handingOver } from './handing-over.js';
import { createLearned, type Learning } from './learned.js';
import { EventOutlet, JsonOutlet, type Outlet, PipeOutlet } from './outlets.js';
import { statusOf, written } from './replies.js';
import { createRequestReader } from './requests.js';
import type { DoorPipe, DoorSession } from './session.js';
import { readInSession, readPlain } from './session-requests.js';

export { doorTransport } from './pipe.js';
export type { DoorSession } from './session.js';
export { cancelNamed } from './session-requests.js';

/**
 * The answers of this server to requests that need nothing of the SDK. Undefined for others, which the SDK answers
 * or refuses. `throughSdk` is the SDK's answer, for a handler that turns out to need the SDK.
 */
export interface Door {
  /** Of a request of 2026-07-28. */
  answer(asked: Asked): Promise<Answered> | undefined;
  /** Of a request in a session of 2025-11-25. */
  answerIn(session: DoorSession, asked: Asked, onEnd: () => void): Promise<Answered> | undefined;
  /** Answers a request that came through a pipe. Returns whether it does. */
  readonly answerOn: (pipe: DoorPipe, message: unknown) => boolean;
  /** Ends the requests outside sessions that are still open. */
  close(): void;
}

export interface Asked extends Learning {
  readonly incoming: Incoming;
  readonly message: unknown;
  readonly authInfo: AuthInfo | undefined;
  readonly throughSdk: () => Promise<Response>;
}

export interface DoorOptions {
  /** Undefined where 2026-07-28 is not offered. */
  readonly answers: Answers | undefined;
  readonly tools: ReadonlyMap<string, ServerTool>;
  /** Methods that the user serves with handlers of their own. */
  readonly overridden: ReadonlySet<string>;
  readonly serverInfo: JsonObject;
  readonly operations: Operations;
  readonly knowsTool: (name: string) => boolean;
  /** Whether the user registers things with the SDK, on which some answers then depend. */
  readonly hasSetup: boolean;
}

const JSON_TYPE = { 'content-type': 'application/json' };
/** As the SDK sends them, without what the HTTP server says about the connection. */
const eventHeaders = (sessionId: string): Readonly<Record<string, string>> => ({
  'cache-control': 'no-cache, no-transform',
  'content-type': 'text/event-stream',
  'mcp-session-id': sessionId,
  'x-accel-buffering': 'no',
});

const pong: Answer = () => Promise.resolve({});

export function createDoor(options: DoorOptions): Door {
  const { tools, overridden, serverInfo, operations, knowsTool } = options;
  const plain = new Set([...tools.values()].filter(needsNoHeaders).map(({ name }) => name));
  const open = new TransientSet<Exchange>();
  const learned = createLearned(options.hasSetup);

  function handlerOf({ methods, call }: Answers, method: string): Answer | undefined {
    // Handlers that `setup` sets for tools/call get the calls of other tools only.
    if (method === METHODS.toolsCall) return call;
    if (overridden.has(method)) return undefined;
    return methods.get(method);
  }

  function handlerIn(
    { answers }: Pick<DoorSession, 'answers'>,
    { method, params }: Accepted,
  ): Answer | undefined {
    if (method === METHODS.ping && !overridden.has(method)) return pong;
    if (method === METHODS.toolsCall && !tools.has(params['name'] as string)) return undefined;
    return handlerOf(answers, method);
  }

  const read = createRequestReader((method, { name }) =>
    method === METHODS.toolsCall ? plain.has(name as string) : true,
  );
  const readUnmirrored = createRequestReader((method, { name }) =>
    method === METHODS.toolsCall ? tools.has(name as string) : true,
  );

  function answer(asked: Asked) {
    const { incoming, message, authInfo, throughSdk } = asked;
    const { answers } = options;
    const accepted = read(message, incoming, authInfo);
    if (accepted === undefined || answers === undefined) return undefined;
    const handler = handlerOf(answers, accepted.method) ?? learned('ext', accepted, asked);
    if (handler === undefined) return undefined;
    const revision = answers.revisionOf(accepted.message);
    if (isInvalid(revision, accepted)) return undefined;
    const { id, method } = accepted;
    const operation = operations.received(accepted.message, () => ({
      revision: revision.version,
      transport: 'tcp',
      knowsTool,
    }));
    const outlet = new JsonOutlet((body, code) => ({
      status: statusOf(code),
      headers: JSON_TYPE,
      body,
    }));
    const exchange: Exchange = new Exchange({
      accepted,
      incoming,
      operation,
      outlet,
      handOver: handingOver(incoming, outlet, throughSdk),
      write: (outcome) =>
        written(outcome, {
          id,
          checkedAs: method,
          rules: answers.rules,
          revision,
          operation,
          serverInfo,
        }),
      onEnd: () => leave(),
    });
    const leave = open.add(exchange);
    incoming.onDisconnect(() => exchange.abandon());
    exchange.run(handler);
    return outlet.answered;
  }

  function answerIn(session: DoorSession, asked: Asked, onEnd: () => void) {
    const { incoming, message, authInfo, throughSdk } = asked;
    const { answers } = session;
    const accepted = readInSession(session, incoming, message, authInfo);
    if (accepted === undefined) return undefined;
    if (accepted.streams && !incoming.takesEvents) return undefined;
    const handler = handlerIn(session, accepted) ?? learned('core', accepted, asked);
    if (handler === undefined) return undefined;
    const revision = answers.revisionOf(accepted.message);
    if (isInvalid(revision, accepted)) return undefined;
    const { id, method } = accepted;
    const operation = operations.received(accepted.message, () => ({
      revision: revision.version,
      sessionId: session.id,
      transport: 'tcp',
      knowsTool,
    }));
    const { outlet, answered } = outletIn(session, accepted.streams, incoming);
    const release = once(onEnd);
    const exchange: Exchange = new Exchange({
      accepted,
      incoming,
      operation,
      outlet,
      handOver: handingOver(incoming, outlet, throughSdk),
      // Only tool calls become tasks, so that is whose result a task's result has to be.
      write: (outcome) => {
        const checkedAs = method === METHODS.tasksResult ? METHODS.toolsCall : method;
        return written(outcome, { id, checkedAs, rules: answers.rules, revision, operation });
      },
      onEnd() {
        release();
        if (session.open.get(id) === exchange) session.open.delete(id);
      },
    });
    session.open.get(id)?.options.operation.end('cancelled');
    session.open.set(id, exchange);
    incoming.onDisconnect(() => {
      release();
      session.cancelled.delete(exchange);
      exchange.leave();
    });
    exchange.run(handler);
    return answered;
  }

  function answerOn(pipe: DoorPipe, message: unknown): boolean {
    const { answers, open } = pipe;
    const isSession = answers.revision.dialect === 'core';
    const accepted = isSession
      ? readPlain(answers, message)
      : readUnmirrored(message, undefined, undefined);
    if (accepted === undefined) return false;
    const handler = isSession ? handlerIn(pipe, accepted) : handlerOf(answers, accepted.method);
    const revision = answers.revisionOf(accepted.message);
    if (handler === undefined || isInvalid(revision, accepted)) return false;
    const { id, method } = accepted;
    const operation = operations.received(accepted.message, () => ({
      revision: revision.version,
      transport: 'pipe',
      knowsTool,
    }));
    const exchange: Exchange = new Exchange({
      accepted,
      operation,
      outlet: new PipeOutlet(pipe.send),
      handOver: (continuation, begun) => pipe.handOver(accepted.message, continuation, begun),
      write: (outcome) => {
        const checkedAs = method === METHODS.tasksResult ? METHODS.toolsCall : method;
        const stamp = isSession ? {} : { serverInfo };
        return written(outcome, {
          id,
          checkedAs,
          rules: answers.rules,
          revision,
          operation,
          ...stamp,
        });
      },
      onEnd() {
        if (open.get(id) === exchange) open.delete(id);
      },
    });
    open.get(id)?.options.operation.end('cancelled');
    open.set(id, exchange);
    exchange.run(handler);
    return true;
  }

  return {
    answer,
    answerIn,
    answerOn,
    close() {
      for (const exchange of open.values()) exchange.abandon();
    },
  };
}

function isInvalid(revision: Revision, { message, inputResponses }: Accepted): boolean {
  const checked = inputResponses === undefined ? message : withoutResponses(message);
  return revision.check(checked, 'client') !== undefined;
}

/** Where the answer to a request of a session goes: an event stream, or JSON. */
function outletIn(
  { id }: DoorSession,
  inEvents: boolean,
  { takesEvents }: Incoming,
): { readonly outlet: Outlet; readonly answered: Promise<Answered> } {
  if (inEvents) {
    const outlet = new EventOutlet(eventHeaders(id));
    return { outlet, answered: Promise.resolve(outlet.reply()) };
  }
  const headers = { 'content-type': 'application/json', 'mcp-session-id': id };
  const outlet = new JsonOutlet(
    (body) => ({ status: 200, headers, body }),
    () =>
      takesEvents
        ? new EventOutlet(eventHeaders(id))
        : new Response('', { headers: eventHeaders(id) }),
  );
  return { outlet, answered: outlet.answered };
}

function once(act: () => void): () => void {
  let done = false;
  return () => {
    if (!done) act();
    done = true;
  };
}

/** Whether a tool mirrors none of its arguments in headers, which the SDK compares. */
function needsNoHeaders({ listing }: ServerTool): boolean {
  return !JSON.stringify(listing.inputSchema).includes('"x-mcp-header"');
}
