import type {
  JSONRPCRequest,
  ProtocolError,
  JSONRPCMessage,
  MessageExtraInfo,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/server';

import { ERROR_CODES, METHODS } from '../../protocol/index.js';
import type { JsonObject } from '../../tasks/index.js';
import type { Facts, Operation, Operations } from '../../telemetry/index.js';
import { related, RELATED_TASK } from '../../wire/core-task.js';
import { answerToSend, encodedOf, type OutgoingRules } from './checked-answer.js';
import { rpcError } from './protocol-error.js';
import { at, isObject, member } from '../../wire/json.js';
import { spokenBy } from '../../wire/spoken.js';
import { type Problem, type Revision, withoutValues } from '../../wire/revision.js';

export interface CheckedTransportOptions extends OutgoingRules {
  /** The revision until a handshake has settled another. */
  readonly revision: Revision;
  /** The revision of a version, if it is offered. */
  readonly revisionOf: (version: string) => Revision | undefined;
  /** Called when a handshake has settled the revision. */
  readonly onRevision: (revision: Revision) => void;
  /** Called with each request before the SDK looks for its handler. */
  readonly onRequest: (request: JSONRPCRequest) => void;
  /** Changes the result of a request before it is checked and sent. */
  readonly outgoing: (method: string | undefined, result: JsonObject) => JsonObject;
  /** The error that rejects a question whose answer is invalid. */
  readonly invalidAnswer: (problem: Problem) => ProtocolError;
  /** Called for an answer to a question that is not open: it came late, or was never asked for. */
  readonly onLateAnswer: () => void;
  /** Records spans and durations. */
  readonly operations: Operations;
  /** Whether the server has a tool of this name. */
  readonly knowsTool: (name: string) => boolean;
}

type Id = string | number;

/** A request of the client that waits for its answer. */
interface Received {
  /** The revision in which its client speaks. */
  readonly revision: Revision;
  readonly checkedAs: string;
  readonly operation: Operation;
}

/** A request of the server that waits for its answer. */
interface Sent {
  readonly operation: Operation;
  /** Undefined for `tasks/result`, whose answer depends on its task: the caller checks it. */
  readonly checkedAs: string | undefined;
  readonly taskId: string | undefined;
}

function sentBy({ method, params }: JSONRPCRequest, operation: Operation): Sent {
  const taskId = at(params, ['_meta', RELATED_TASK, 'taskId']);
  return {
    operation,
    checkedAs: method === METHODS.tasksResult ? undefined : method,
    taskId: typeof taskId === 'string' ? taskId : undefined,
  };
}

/**
 * Answers to questions that were not asked are to be ignored, whatever they hold. Only the handler has the
 * open questions, so it checks the answers.
 */
export function withoutResponses(message: unknown): unknown {
  if (!isObject(at(message, ['params', 'inputResponses']))) return message;
  return {
    ...(message as object),
    params: { ...(member(message, 'params') as object), inputResponses: {} },
  };
}

/** Operations of HTTP requests, and of messages of a pipe: undefined where it began here. */
const RECEIVED = new WeakMap<Request | object, Operation | undefined>();

/** Whether a connection has received a message of this HTTP request. */
export function wasReceived(request: Request): boolean {
  return RECEIVED.has(request);
}

/** Lets the connection that receives this HTTP request, or this message, go on with an operation that has begun. */
export function resumes(request: Request | object, operation: Operation): void {
  RECEIVED.set(request, operation);
}

/**
 * A transport on which only valid messages pass, in both directions.
 *
 * An invalid request of a client is answered with the invalid fields; an invalid result of a client rejects the
 * question. An invalid result of the server becomes an error that names the field, and an invalid
 * notification is not sent.
 */
export function checkedTransport(inner: Transport, options: CheckedTransportOptions): Transport {
  const { operations } = options;
  const endSession = operations.session();
  let revision = options.revision;
  /** Resolves when the validators of the negotiated revision are loaded. Messages wait for it. */
  let loading: Promise<void> | undefined;
  let transport: Facts['transport'] = 'pipe';
  const received = new Map<Id, Received>();
  const sent = new Map<Id, Sent>();

  function facts(): Facts {
    const { knowsTool } = options;
    return { revision: revision.version, sessionId: inner.sessionId, transport, knowsTool };
  }

  function closed(): void {
    for (const { operation } of [...received.values(), ...sent.values()]) {
      operation.end('connection_closed');
    }
    // Over HTTP, revision 2026-07-28 has a connection for each request, and no sessions.
    if (transport === 'pipe' || inner.sessionId !== undefined) endSession(facts());
  }

  function check(message: JSONRPCMessage, from: 'client' | 'server'): Problem | undefined {
    const methodOf = (id: Id): string | undefined =>
      from === 'client' ? sent.get(id)?.checkedAs : received.get(id)?.checkedAs;
    const checked = from === 'client' ? withoutResponses(message) : message;
    const problem = revision.check(checked, from, methodOf);
    return problem ?? (from === 'server' ? encodedOf(message).problem : undefined);
  }

  function prepared(message: JSONRPCMessage): JSONRPCMessage {
    if (!('result' in message)) return message;
    const result = options.outgoing(received.get(message.id)?.checkedAs, message.result);
    return result === message.result ? message : { ...message, result };
  }

  function receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const spoken = spokenBy(message) ?? spokenBy(extra?.request);
    if (spoken !== undefined) revision = options.revisionOf(spoken) ?? revision;
    else if (revision.dialect === 'ext') ({ revision } = options);
    const problem = check(message, 'client');
    const begun = RECEIVED.get(extra?.request ?? message);
    if (extra?.request !== undefined) {
      transport = 'tcp';
      RECEIVED.set(extra.request, undefined);
    }
    if ('method' in message) {
      const operation = begun ?? operations.received(message, facts);
      const id = 'id' in message ? message.id : undefined;
      if (problem !== undefined) return refuse(id, problem, operation);
      if (id !== undefined) {
        received.get(id)?.operation.end('cancelled');
        // Only tool calls become tasks, so that is whose result a task's result has to be.
        const isTaskResult = message.method === METHODS.tasksResult;
        const checkedAs = isTaskResult ? METHODS.toolsCall : message.method;
        received.set(id, { revision, checkedAs, operation });
        options.onRequest(message as JSONRPCRequest);
      } else if (message.method === METHODS.notificationsCancelled) {
        const cancelled = at(message, ['params', 'requestId']) as Id;
        received.get(cancelled)?.operation.end('cancelled');
        received.delete(cancelled);
      }
      operation.run(() => outer.onmessage?.(message, extra));
      if (id === undefined) operation.end();
      return;
    }
    const { id } = message;
    // The SDK would write the whole answer into its error, and users type passwords.
    const question = id === undefined ? undefined : sent.get(id);
    if (id === undefined || question === undefined) return options.onLateAnswer();
    sent.delete(id);
    question.operation.end(message);
    if (problem === undefined) return outer.onmessage?.(message, extra);
    outer.onmessage?.({ jsonrpc: '2.0', id, error: options.invalidAnswer(problem) }, extra);
  }

  function refuse(id: Id | undefined, problem: Problem, operation: Operation): void {
    const { code, message } = problem;
    operation.end({ error: { code, message: withoutValues(problem) } });
    if (id === undefined) {
      const what = withoutValues(problem);
      return options.onProblem(new Error(`Ignored an invalid notification: ${what}`));
    }
    inner.send({ jsonrpc: '2.0', id, error: { code, message } }).catch(options.onProblem);
  }

  /** The notification that withdraws a question, with the task that asked it. */
  function withdrawn(requestId: Id): JSONRPCMessage {
    const question = sent.get(requestId);
    const taskId = question?.taskId;
    question?.operation.end('cancelled');
    sent.delete(requestId);
    const params = { requestId, reason: 'The question is no longer needed' };
    return {
      jsonrpc: '2.0',
      method: METHODS.notificationsCancelled,
      params: taskId === undefined ? params : related(params, taskId),
    };
  }

  function ask(request: JSONRPCRequest, sendOptions?: TransportSendOptions): Promise<void> {
    const { message, operation } = operations.sent(request, facts);
    sent.set(message.id, sentBy(message, operation));
    return inner.send(message, sendOptions);
  }

  const outer: Transport = {
    async start() {
      inner.onmessage = receive;
      inner.onclose = () => {
        closed();
        outer.onclose?.();
      };
      inner.onerror = (error) => outer.onerror?.(error);
      await inner.start();
    },
    async send(given, sendOptions) {
      if (loading !== undefined) await loading;
      const message = prepared(given);
      if ('method' in message) {
        const problem = check(message, 'server');
        const forbidden = options.forbids(message);
        if (forbidden !== undefined) throw forbidden;
        if (problem !== undefined) {
          throw rpcError(
            ERROR_CODES.InternalError,
            `Invalid ${message.method}: ${problem.message}`,
          );
        }
        if ('id' in message) return ask(message, sendOptions);
        if (message.method !== METHODS.notificationsCancelled)
          return inner.send(message, sendOptions);
        const requestId = at(message, ['params', 'requestId']) as Id;
        return inner.send(withdrawn(requestId), sendOptions);
      }
      const { id } = message;
      if (id === undefined) return inner.send(message, sendOptions);
      const request = received.get(id);
      received.delete(id);
      const spoken = request?.revision ?? revision;
      const answer = answerToSend(message, request?.checkedAs, spoken, options);
      request?.operation.end(answer.message);
      return inner.send(answer.message, sendOptions);
    },
    close: () => inner.close(),
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion(version) {
      // The SDK negotiates only what is offered.
      revision = options.revisionOf(version) ?? revision;
      options.onRevision(revision);
      // Without the validators, those of the dialect's revision go on checking.
      loading = revision
        .load?.()
        .catch(options.onProblem)
        .finally(() => (loading = undefined));
      inner.setProtocolVersion?.(version);
    },
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
  };
  return outer;
}
