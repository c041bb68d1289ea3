import type { AuthInfo } from '@modelcontextprotocol/server';

import { METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Operations } from '../../telemetry/index.js';
import type { Answers } from '../connection.js';
import type { Answered, Incoming } from '../incoming.js';
import type { ServerTool } from '../tool.js';
import { Exchange } from './exchange.js';
import { statusOf, written } from './replies.js';
import { createRequestReader } from './requests.js';

/** The answers of this server to requests that need nothing of the SDK. */
export interface Door {
  /**
   * The answer to a request of 2026-07-28; undefined for one that the SDK answers or refuses. `throughSdk` is
   * the SDK's answer, for a handler that turns out to need the SDK.
   */
  answer(
    incoming: Incoming,
    message: unknown,
    authInfo: AuthInfo | undefined,
    throughSdk: () => Promise<Response>,
  ): Promise<Answered> | undefined;
  /** Ends the requests that are still open. */
  close(): void;
}

export interface DoorOptions {
  readonly answers: Answers;
  readonly tools: ReadonlyMap<string, ServerTool>;
  /** Methods that the user serves with handlers of their own. */
  readonly overridden: ReadonlySet<string>;
  readonly serverInfo: JsonObject;
  readonly operations: Operations;
  readonly knowsTool: (name: string) => boolean;
}

const JSON_HEADERS = { 'content-type': 'application/json' };
const NOT_ANSWERED = 499;

export function createDoor(options: DoorOptions): Door {
  const { answers, tools, overridden, serverInfo, operations, knowsTool } = options;
  const plain = new Set([...tools.values()].filter(needsNoHeaders).map(({ name }) => name));
  const open = new Set<Exchange>();
  const facts = () => ({
    revision: answers.revision.version,
    transport: 'tcp' as const,
    knowsTool,
  });

  function handlerOf(method: string) {
    if (method === METHODS.toolsCall) return answers.call;
    return method === METHODS.tasksUpdate || overridden.has(method)
      ? undefined
      : answers.methods.get(method);
  }

  const read = createRequestReader({
    takes: (method, { name }) =>
      method === METHODS.toolsCall ? plain.has(name as string) : handlerOf(method) !== undefined,
  });

  return {
    answer(incoming, message, authInfo, throughSdk) {
      const accepted = read(incoming, message, authInfo);
      const handler = accepted && handlerOf(accepted.method);
      if (accepted === undefined || handler === undefined) return undefined;
      if (answers.revision.check(message, 'client') !== undefined) return undefined;
      const { id, method } = accepted;
      const operation = operations.received(message as { method: string }, facts);
      const exchange = new Exchange(accepted, incoming, operation, throughSdk, () => {
        open.delete(exchange);
      });
      open.add(exchange);
      const end = (): void => exchange.abandon(new Response(null, { status: NOT_ANSWERED }));
      incoming.onDisconnect(end);
      return exchange.run(handler, (outcome) => {
        const answer = written(outcome, { id, checkedAs: method, answers, operation, serverInfo });
        return { status: statusOf(answer), headers: JSON_HEADERS, body: answer.text };
      });
    },
    close() {
      for (const exchange of open) exchange.abandon(new Response(null, { status: NOT_ANSWERED }));
      open.clear();
    },
  };
}

/** Whether a tool mirrors none of its arguments in headers, which the SDK compares. */
function needsNoHeaders({ listing }: ServerTool): boolean {
  return !JSON.stringify(listing.inputSchema).includes('"x-mcp-header"');
}
