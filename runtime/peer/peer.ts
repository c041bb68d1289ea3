import { ERROR_CODES, METHODS } from '../protocol.js';
import { isRpcError, type JsonObject, messageOf } from '../tasks/index.js';
import { type Facts, type Interruption, RECORDS_NOTHING } from '../telemetry/index.js';
import { isAnswer, MessageFault } from '../transport/reading/envelope.js';
import { isObject, kindOf, member } from './wire/json.js';
import { type Revision, withoutValues } from './wire/revision.js';
import {
  type Channel,
  type AskOptions,
  Exchange,
  isRequestId,
  isTooLong,
  type RequestId,
  type Sender,
  encoded,
  failure,
  INVALID_MESSAGE,
  METHOD_NOT_FOUND,
  type Outgoing,
  TOO_LONG_ID,
  TOO_LONG_TOKEN,
} from './exchange.js';
import {
  ConnectionClosed,
  connectionClosed,
  errorOf,
  ProtocolError,
  rpcError,
  withoutId,
} from './errors.js';
import type { Method, Methods } from './methods.js';
import { Questions, type QuestionsParts } from './questions.js';

export interface PeerOptions<O> extends QuestionsParts {
  /** The revision in which a message is written, or why none can be agreed on. */
  readonly revisionOf: (message: JsonObject, origin: O) => Revision | ProtocolError;
  /** What is served in a revision. */
  readonly methodsIn: (revision: Revision) => Methods<O>;
  /** Gets each valid notification that is not about a request. */
  readonly onNotification?: (method: string, params: JsonObject, origin: O) => void;
  /** Completes a result before it is checked and sent. */
  readonly complete?: (result: JsonObject, exchange: Exchange<O>) => JsonObject;
  /**
   * Whether all messages come from one client or server, which may name its requests by their ids. A server without
   * sessions has one peer for the requests of all clients.
   */
  readonly isConversation: boolean;
  readonly factsOf: (origin: O, revision: Revision | undefined) => Facts;
  /** Called for an answer to a question that is not open: it came late, or nothing was asked. */
  readonly onLateAnswer: (origin: O, answer: JsonObject) => void;
}

/**
 * One end of a JSON-RPC conversation: checks what comes in, gives requests to the handlers of their methods, and checks
 * what goes out. It has no side: the tables of the revision say who sends what.
 */
export class Peer<O> implements Sender {
  readonly #options: PeerOptions<O>;
  /** Open requests of a conversation, by their ids. Of several with the same id it has the last. */
  readonly #open = new Map<RequestId, Exchange<O>>();
  /**
   * All other open requests, each at its `place`. In a `Map` they would be kept by tables that it has left
   * (docs/decisions/hot-paths.md).
   */
  readonly #others: Exchange<O>[] = [];
  readonly #questions: Questions;
  readonly #onClosed: (() => void)[] = [];
  readonly #onIdle: (() => void)[] = [];
  #closed = false;

  constructor(options: PeerOptions<O>) {
    this.#options = options;
    this.#questions = new Questions(options);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Calls back once, when the connection has closed. */
  onClosed(callback: () => void): void {
    if (this.#closed) callback();
    else this.#onClosed.push(callback);
  }

  /** Takes a message of the other side. What belongs to it goes to `channel`, which is closed at the end. */
  receive(message: unknown, channel: Channel, origin: O): void {
    if (!isObject(message)) return this.#refuseValue(message, channel, origin);
    if (this.#questions.open.size > 0 && this.#questions.answered(message)) {
      // Over HTTP, what has the method of a request gets an answer.
      const isRequest = typeof message['method'] === 'string' && this.#options.other === 'client';
      return isRequest ? this.#refuseInvalid({}, channel, origin) : channel.close();
    }
    if (message['method'] === undefined) return this.#unasked(message, channel, origin);
    if (message['id'] === undefined) return this.#notified(message, channel, origin);
    this.#requested(message, channel, origin);
  }

  /** Requests of the other side that are not answered yet. */
  get open(): number {
    return this.#open.size + this.#others.length;
  }

  /** Resolves when no request of the other side is open. */
  idle(): Promise<void> {
    return this.open === 0
      ? Promise.resolve()
      : new Promise((resolve) => void this.#onIdle.push(resolve));
  }

  /** Ends everything that is open: requests get this error as their answer, or none, and questions reject. */
  close(answer?: ProtocolError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#questions.close();
    if (this.open + this.#questions.open.size > 0) this.#endAll(new ConnectionClosed(), answer);
    for (const callback of this.#onClosed.splice(0)) callback();
  }

  #endAll(reason: ConnectionClosed, answer: ProtocolError | undefined): void {
    for (const exchange of [...this.#open.values(), ...this.#others]) {
      if (answer !== undefined) {
        const { message, text } = failure(
          { id: exchange.id },
          errorOf(answer),
          this.#options.onProblem,
        );
        exchange.answer(message, text);
      }
      this.#abandon(exchange, 'connection_closed', () => reason);
    }
    this.#questions.rejectAll(reason);
  }

  /** Sends a notification on a channel. Rejects for one that the revision forbids. */
  notifyOn(
    channel: Channel,
    revision: Revision,
    method: string,
    params: JsonObject,
  ): Promise<void> {
    return this.#questions.notify(channel, revision, method, params);
  }

  /** Sends a request on a channel, and resolves with its result. */
  askOn(
    channel: Channel,
    revision: Revision,
    method: string,
    params: JsonObject,
    options?: AskOptions,
  ): Promise<JsonObject> {
    return this.#questions.ask(channel, revision, method, params, options);
  }

  /** Takes what is no message: it ends the question that it answers, or the error of the next time-out names it. */
  faulted(fault: MessageFault): void {
    this.#questions.faulted(fault);
  }

  /** Takes the messages of a list that is refused as a whole: the answers in it are meant for open questions. */
  listRefused(messages: readonly unknown[]): void {
    for (const each of messages) {
      if (!isObject(each) || !isAnswer(each)) continue;
      this.faulted(new MessageFault('It came in a list, which is refused', each['id']));
    }
  }

  /** What has come and answered no question since this was called, as sentences that follow one: `. An error came …`. */
  takeStrays(): string {
    return this.#questions.strays.take();
  }

  /** Rejects an open question, to which no answer can come any more. */
  fail(id: RequestId, reason: unknown, why: Interruption = 'connection_closed'): void {
    this.#questions.fail(id, reason, why);
  }

  #requested(message: JsonObject, channel: Channel, origin: O): void {
    const { id, method, params = NO_PARAMS } = message;
    if (typeof method !== 'string' || !isRequestId(id)) {
      return this.#refuseInvalid(message, channel, origin);
    }
    const { operations, factsOf, revisionOf, methodsIn } = this.#options;
    const agreed = revisionOf(message, origin);
    const revision = agreed instanceof ProtocolError ? undefined : agreed;
    const operation = operations.received(message as JsonObject & { readonly method: string }, () =>
      factsOf(origin, revision),
    );
    const served = revision && methodsIn(revision).get(method);
    const refused =
      agreed instanceof ProtocolError ? agreed : this.#problemOf(message, agreed, served);
    if (revision === undefined || served === undefined || refused !== undefined) {
      const error = refused ?? METHOD_NOT_FOUND;
      operation.end({ error: { code: error.code, message: error.message } });
      if (this.#options.other === 'server') this.faulted(refusedRequest(method));
      return this.#refuse(id, error, channel, revision);
    }
    const exchange = new Exchange<O>(this, {
      id,
      method,
      params: params as JsonObject,
      revision,
      channel,
      origin,
      operation,
    });
    this.#begin(exchange, channel);
    this.#run(exchange, served, params as JsonObject, channel);
  }

  #problemOf(
    message: JsonObject,
    revision: Revision,
    served: Method<O> | undefined,
  ): ProtocolError | undefined {
    const token = member(member(message['params'], '_meta'), 'progressToken');
    if (served !== undefined && isTooLong(token)) return TOO_LONG_TOKEN;
    const problem = revision.check(withoutResponses(message), this.#options.other);
    if (problem === undefined) return undefined;
    // What is wrong with the params of a method that is not served does not matter.
    if (served === undefined && problem.code === ERROR_CODES.InvalidParams) return METHOD_NOT_FOUND;
    return rpcError(problem.code, problem.message);
  }

  #begin(exchange: Exchange<O>, channel: Channel): void {
    const { isConversation } = this.#options;
    if (isConversation) {
      const earlier = this.#open.get(exchange.id);
      earlier?.operation.end('cancelled');
      if (earlier !== undefined) this.#putWithOthers(earlier);
      this.#open.set(exchange.id, exchange);
    } else this.#putWithOthers(exchange);
    channel.gone.onAbort(() => {
      if (!isConversation) return this.#abandon(exchange, 'connection_closed', connectionClosed);
      // In a conversation, a client that disconnects does not cancel its request.
      exchange.gone.abortFor(connectionClosed);
    });
  }

  #run(exchange: Exchange<O>, served: Method<O>, params: JsonObject, channel: Channel): void {
    const { operation } = exchange;
    let answer: JsonObject | Promise<JsonObject>;
    try {
      answer =
        operation === RECORDS_NOTHING
          ? served.answer(params, exchange)
          : operation.run(() => served.answer(params, exchange));
    } catch (error) {
      return this.#end(exchange, served, channel, undefined, error);
    }
    if (answer instanceof Promise) {
      answer.then(
        (result) => this.#end(exchange, served, channel, result, undefined),
        (error: unknown) => this.#end(exchange, served, channel, undefined, error),
      );
    } else this.#end(exchange, served, channel, answer, undefined);
  }

  #end(
    exchange: Exchange<O>,
    served: Method<O>,
    channel: Channel,
    result: JsonObject | undefined,
    error: unknown,
  ): void {
    if (!this.#forget(exchange)) return;
    const { message, text } =
      result === undefined
        ? this.#failure(exchange, error)
        : this.#success(exchange, served, result);
    if (exchange.operation !== RECORDS_NOTHING) exchange.operation.end(message);
    void channel.send(message, text);
    channel.close();
  }

  /** Only the texts of JSON-RPC errors are written for the other side: another may hold paths or addresses. */
  #failure({ id, method }: Exchange<O>, error: unknown): Outgoing {
    const { onProblem } = this.#options;
    if (isRpcError(error)) return failure({ id }, errorOf(error), onProblem);
    // A client that disconnects is no fault of the handler.
    if (!(error instanceof ConnectionClosed)) {
      onProblem(new Error(`The handler of ${method} threw: ${messageOf(error)}`, { cause: error }));
    }
    return failure(
      { id },
      { code: ERROR_CODES.InternalError, message: 'Internal error' },
      onProblem,
    );
  }

  #success(exchange: Exchange<O>, { checkedAs }: Method<O>, returned: JsonObject): Outgoing {
    const { complete, onProblem } = this.#options;
    const { id, revision } = exchange;
    const result = complete === undefined ? returned : complete(returned, exchange);
    const message = { jsonrpc: '2.0', id, result };
    const isChecked = exchange.checked === returned;
    const { text, problem = isChecked ? undefined : revision.checkSent(checkedAs, result) } =
      encoded(message);
    if (text !== undefined && problem === undefined) return { message, text };
    onProblem(new Error(`Invalid result of ${checkedAs}: ${problem && withoutValues(problem)}`));
    const what = `Invalid result: ${problem?.message}`;
    return failure({ id }, { code: ERROR_CODES.InternalError, message: what }, onProblem);
  }

  /** Refuses what is no message. Its answer has its id, where that is one. */
  #refuseInvalid(message: JsonObject, channel: Channel, origin: O): void {
    const { id } = message;
    if (this.#options.other === 'server' && message['method'] === undefined) {
      // Such as a log on the standard output of the server, which is to get no error for it.
      this.#options.onProblem(new Error('Ignored a value of the server that is no message'));
      this.faulted(
        new MessageFault('The server sent a value that is no message', undefined, {
          isNoise: true,
        }),
      );
      return channel.close();
    }
    const agreed = this.#options.revisionOf(message, origin);
    const revision = agreed instanceof ProtocolError ? undefined : agreed;
    const error = isTooLong(id) ? TOO_LONG_ID : INVALID_MESSAGE;
    this.#refuse(isRequestId(id) ? id : undefined, error, channel, revision);
  }

  #refuse(
    id: RequestId | undefined,
    error: ProtocolError,
    channel: Channel,
    revision: Revision | undefined,
  ): void {
    const { other, onProblem } = this.#options;
    if (revision?.requesters.has(other) === false) {
      // No answers go that way either.
      onProblem(new Error(`Ignored a request of the ${other}: ${revision.version} has none`));
    } else {
      const idPart = id === undefined ? withoutId(revision?.version) : { id };
      const { message, text } = failure(idPart, errorOf(error), onProblem);
      void channel.send(message, text, true);
    }
    channel.close();
  }

  /** Whether it was open. */
  #forget(exchange: Exchange<O>): boolean {
    if (exchange.isOver) return false;
    exchange.isOver = true;
    if (this.#open.get(exchange.id) === exchange) this.#open.delete(exchange.id);
    else this.#takeOut(exchange);
    if (this.#onIdle.length > 0 && this.open === 0) {
      for (const resolve of this.#onIdle.splice(0)) resolve();
    }
    return true;
  }

  #putWithOthers(exchange: Exchange<O>): void {
    exchange.place = this.#others.push(exchange) - 1;
  }

  /** The last one takes its place. */
  #takeOut({ place }: Exchange<O>): void {
    const last = this.#others.pop();
    if (last === undefined || last.place === place) return;
    last.place = place;
    this.#others[place] = last;
  }

  #abandon(
    exchange: Exchange<O>,
    why: 'cancelled' | 'connection_closed',
    reason: () => unknown,
  ): void {
    if (!this.#forget(exchange)) return;
    exchange.operation.end(why);
    exchange.abandon(reason);
  }

  #notified(message: JsonObject, channel: Channel, origin: O): void {
    const { other, revisionOf, operations, factsOf, onNotification, onProblem } = this.#options;
    const { method, params = NO_PARAMS } = message;
    const agreed = revisionOf(message, origin);
    const problem = agreed instanceof ProtocolError ? undefined : agreed.check(message, other);
    if (typeof method !== 'string') return this.#refuseInvalid(message, channel, origin);
    if (agreed instanceof ProtocolError) onProblem(ignored(agreed.message));
    else if (problem !== undefined) onProblem(ignored(withoutValues(problem)));
    else {
      const operation = operations.received({ method, params }, () => factsOf(origin, agreed));
      if (method === METHODS.notificationsCancelled) this.#cancel(params as JsonObject);
      else operation.run(() => onNotification?.(method, params as JsonObject, origin));
      operation.end();
    }
    channel.close();
  }

  #cancel({ requestId, reason }: JsonObject): void {
    if (!isRequestId(requestId)) return;
    const exchange = this.#open.get(requestId);
    if (exchange !== undefined) this.#abandon(exchange, 'cancelled', () => reason);
    else this.#questions.ended(requestId);
  }

  /** An answer to no open question, or what is no message. */
  #unasked(message: JsonObject, channel: Channel, origin: O): void {
    if (!isAnswer(message)) return this.#refuseInvalid(message, channel, origin);
    this.#questions.stray(message);
    this.#options.onLateAnswer(origin, message);
    channel.close();
  }

  #refuseValue(value: unknown, channel: Channel, origin: O): void {
    if (Array.isArray(value)) this.listRefused(value as readonly unknown[]);
    else if (this.#options.other === 'client')
      this.faulted(new MessageFault(`What came is no message, but ${kindOf(value)}`));
    this.#refuseInvalid({}, channel, origin);
  }
}

const NO_PARAMS: JsonObject = {};

/** A server that sends back what it reads sends requests of clients. */
function refusedRequest(method: string): MessageFault {
  return new MessageFault(
    `The server sent the request ${JSON.stringify(method)}, which was refused`,
  );
}

function ignored(what: string): Error {
  return new Error(`Ignored an invalid notification: ${what}`);
}

/**
 * Answers to questions that were not asked are to be ignored, whatever they hold. Only the handler has the open
 * questions, so it checks the answers.
 */
function withoutResponses(message: JsonObject): JsonObject {
  const params = message['params'] as JsonObject | undefined;
  if (!isObject(member(params, 'inputResponses'))) return message;
  return { ...message, params: { ...params, inputResponses: {} } };
}
