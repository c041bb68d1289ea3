/** What an author's handler gets: the controls of its call or task, questions to the client, and the request. */

import { METHODS, META_KEYS } from '../protocol.js';
import {
  CallSteps,
  type Caller,
  type Dialect,
  harmless,
  type Progress,
  stepping,
  type TaskControls,
  withSignal,
  type ElicitAnswer,
  type InputOptions,
  type JsonObject,
  type CallerIdentity,
} from '../tasks/index.js';
import { LOG_LEVELS } from '../rules/messages.js';
import { lastOfMany } from '../peer/wire/last-of-many.js';
import { type AskClient, type Asking, assertAskable } from './asks.js';
import {
  announceCompleted,
  type ServerExchange,
  clientCapabilitiesOf,
  type FeatureRows,
} from './session.js';
import type { CreateMessageResult, LoggingLevel } from '../../generated/2025-11-25/types.js';
import {
  type AnyFormSchema,
  type Checked,
  type Form,
  type FormContent,
  formOf,
  isDescribed,
  SchemaFault,
} from '../schemas/index.js';
import { isObject, member } from '../peer/wire/json.js';
import { invalidAnswer } from './valid-answers.js';
import type { RequestId } from '../peer/index.js';

/** The controls of a handler in a plain call: those of a task, on the request instead of the engine. */
export function plainControls(
  exchange: ServerExchange,
  { owner, subjectKey }: Pick<Caller, 'owner' | 'subjectKey'>,
  ask: AskClient,
): ToolControls {
  const token = exchange.meta?.progressToken;
  let last = -Infinity;
  let report: ((progress: Progress) => void) | undefined;
  const notify = (progress: Progress): void => {
    const params = { progressToken: token, ...progress };
    // A client that disconnected does not receive it.
    exchange.notify(METHODS.notificationsProgress, params).catch(() => undefined);
  };

  const id = crypto.randomUUID();
  let steps: CallSteps | undefined;
  const stepsOf = (): CallSteps => (steps ??= new CallSteps(id));
  return withSignal<ToolControls>(() => exchange.signal, {
    id,
    owner,
    ...(subjectKey !== undefined && { subjectKey }),
    attempt: 1,
    progress(progress: Progress) {
      if (token === undefined || !(progress.progress > last)) return;
      last = progress.progress;
      (report ??= lastOfMany(notify))(progress);
    },
    // A plain call has no status that a client could read.
    setStatus: () => Promise.resolve(),
    // The client waits for a plain call: its steps are not recorded, and its pauses do not outlive it.
    step: stepping((name, work) => harmless(stepsOf().step(name, work))),
    sleep: (until) => harmless(pause(() => stepsOf().sleep(until), exchange.signal)),
    elicit: elicitBy(ask),
    elicitationComplete: (elicitationId) => announceCompleted(exchange, elicitationId),
    sample: sampleBy(ask),
    input: ask,
  });
}

/** The controls of a task, whose requestor is asked only for input that it declared. */
export function guardedControls(
  task: TaskControls,
  dialect: Dialect,
  asking: Asking,
): ToolControls {
  const guarded: AskClient = async (method, params, options) => {
    assertAskable(asking, dialect, method, params);
    return task.input(method, params, options);
  };
  return withSignal<ToolControls>(() => task.signal, {
    id: task.id,
    owner: task.owner,
    ...(task.subjectKey !== undefined && { subjectKey: task.subjectKey }),
    attempt: task.attempt,
    progress: (progress) => task.progress(progress),
    setStatus: (message) => task.setStatus(message),
    step: task.step,
    sleep: (until) => task.sleep(until),
    elicit: elicitBy(guarded),
    elicitationComplete: (elicitationId) => task.elicitationComplete(elicitationId),
    sample: sampleBy(guarded),
    input: guarded,
  });
}

/** Timers of more milliseconds fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Resolves at the time that `until` returns. Rejects with the signal's reason when it aborts. */
function pause(until: () => number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = until();
    let timer: ReturnType<typeof setTimeout>;
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const wait = (): void => {
      const rest = end - Date.now();
      if (rest > 0) {
        timer = setTimeout(wait, Math.min(rest, LONGEST_TIMER));
        return;
      }
      signal.removeEventListener('abort', abort);
      resolve();
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', abort, { once: true });
    wait();
  });
}

/** A form for the user, in the client. */
export interface FormQuestion<S extends AnyFormSchema> {
  readonly message: string;
  /** The fields: as the client gets them, or a schema of Zod, ArkType or Valibot. */
  readonly requestedSchema: S;
  readonly mode?: 'form';
}

/** The answer to a form. The content has been checked. */
export type FormAnswer<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/** Asks the user. Rejects with the client's error, or when the run ends first. */
export interface Elicit {
  /** With a form, whose content has the types of `requestedSchema`. */
  <const S extends AnyFormSchema>(
    question: FormQuestion<S>,
    options?: InputOptions,
  ): Promise<FormAnswer<FormContent<S>>>;
  /** With a page (`mode: 'url'`), or with a form that is made at run time. */
  (question: JsonObject, options?: InputOptions): Promise<ElicitAnswer>;
}

/** A handler's side of its call or task. */
export interface ToolControls extends Omit<TaskControls, 'elicit' | 'sample'> {
  readonly elicit: Elicit;
  /** Asks for a completion by the client's model. Rejects with the client's error, or when the run ends first. */
  readonly sample: (params: JsonObject, options?: InputOptions) => Promise<CreateMessageResult>;
}

/** The function of handlers that asks the model, by one that asks for anything, and checks the answer. */
export function sampleBy(ask: AskClient): ToolControls['sample'] {
  return (params, options) =>
    ask(METHODS.samplingCreateMessage, params, options) as Promise<CreateMessageResult>;
}

/** The function of handlers that asks the user, by one that asks for anything. */
export function elicitBy(ask: AskClient): Elicit {
  async function elicit(question: JsonObject, options?: InputOptions): Promise<unknown> {
    const { requestedSchema: schema } = question;
    const form = isDescribed(schema) ? shownForm(schema) : undefined;
    const { requestedSchema = schema } = form ?? {};
    const params = form === undefined ? question : { ...question, requestedSchema };
    const answer = await ask(METHODS.elicitationCreate, params, options);
    const isForm = isObject(requestedSchema) && answer['action'] === 'accept';
    if (!isForm) return answer;
    const { content = {} } = answer;
    return { ...answer, content: form === undefined ? content : await checked(form, content) };
  }
  return ((question: JsonObject, options?: InputOptions) =>
    harmless(elicit(question, options))) as Elicit;
}

function shownForm(schema: object): Form {
  try {
    return formOf(schema);
  } catch (error) {
    throw error instanceof SchemaFault ? error.of('task.elicit: `requestedSchema`') : error;
  }
}

/** The content as the schema returns it. The error names fields and no value, because users type passwords. */
async function checked({ contract }: Form, content: unknown): Promise<unknown> {
  const found: Checked = await contract.check(content);
  if (found.issues === undefined) return found.value;
  const places = found.issues.map(({ path: [field] = [] }) => {
    const name = typeof field === 'object' ? field.key : field;
    return name === undefined ? '/content' : `/content/${String(name)}`;
  });
  throw invalidAnswer(`${[...new Set(places)].join(', ')} is not what the form asks for`);
}

/** A request while it is answered, for tools, resources and prompts. A task has none. */
export class RequestContext {
  readonly #exchange: ServerExchange;
  readonly #logs: boolean;

  /** `logs`: whether the server declares that it sends log messages. */
  constructor(exchange: ServerExchange, logs: boolean) {
    this.#exchange = exchange;
    this.#logs = logs;
  }

  get id(): RequestId {
    return this.#exchange.id;
  }

  get method(): string {
    return this.#exchange.method;
  }

  /** `params._meta`. */
  get meta(): JsonObject {
    return this.#exchange.meta ?? {};
  }

  /** The revision that the client speaks. */
  get revision(): string {
    return this.#exchange.revision.version;
  }

  /** Undefined over stdio, and for requests without a session. */
  get sessionId(): string | undefined {
    return this.#exchange.origin.session?.id;
  }

  /** What the client calls itself. It may say anything. */
  get clientInfo(): JsonObject {
    const { origin, meta } = this.#exchange;
    if (origin.session !== undefined) return origin.session.clientInfo;
    const info = member(meta, META_KEYS.clientInfo);
    return isObject(info) ? info : {};
  }

  /** What the client declares that it can do. */
  get clientCapabilities(): JsonObject {
    return clientCapabilitiesOf(this.#exchange);
  }

  /** Aborted when the request is cancelled. */
  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  /** A header of the HTTP request, by its name in lower case; null where there is none, and over stdio. */
  header(name: string): string | null {
    return this.#exchange.origin.http?.header(name) ?? null;
  }

  /** The HTTP request as the host has it: Node's, or a web request. Undefined over stdio. */
  get original(): unknown {
    return this.#exchange.origin.http?.original;
  }

  /**
   * Sends the client a log message, if it wants messages of this level.
   *
   * @throws {TypeError} unless `createTaskServer({ logging: true })` declares that the server logs.
   */
  log(level: LogLevel, data: unknown, logger?: string): void {
    if (!this.#logs) {
      throw new TypeError(
        'The server does not declare logging: createTaskServer({ logging: true })',
      );
    }
    logTo(this.#exchange, level, data, logger);
  }
}

/** What every handler of an author gets. */
export interface HandlerRequest {
  /** Who sent the request. Undefined where nothing identifies callers: over stdio, and with `allowUnidentified`. */
  readonly caller: CallerIdentity | undefined;
  readonly request: RequestContext;
}

/**
 * Questions to the client. Without sessions the handler starts again from the beginning after each answer, so that it
 * must not do before a question what must not happen twice.
 */
export type Questions = Pick<ToolControls, 'elicit' | 'sample' | 'input'>;

/** What the params of a request hold that comes again with answers. */
export interface Round {
  readonly requestState?: unknown;
  readonly inputResponses?: unknown;
}

export type LogLevel = LoggingLevel;

/** What a session gets until its client sets a level, which the specification leaves to the server. */
const FIRST_LEVEL = 'info';

/** `logging/setLevel` of sessions. */
export function loggingRows(): FeatureRows<'logging'> {
  return {
    [METHODS.loggingSetLevel]: {
      answer({ level }, { origin }) {
        if (origin.session !== undefined) origin.session.logLevel = level;
        return {};
      },
    },
  };
}

export function loggingCapabilities({ logging }: { readonly logging: boolean }): JsonObject {
  return logging ? { logging: {} } : {};
}

/** Sends a log message that belongs to a request, where its client wants those of this level. */
function logTo(exchange: ServerExchange, level: LogLevel, data: unknown, logger?: string): void {
  const severity = LOG_LEVELS.indexOf(level);
  if (severity < 0) {
    throw new TypeError(
      `Unknown level ${JSON.stringify(level)}: choose from ${LOG_LEVELS.join(', ')}`,
    );
  }
  const least = wantedBy(exchange);
  if (least === undefined || severity < LOG_LEVELS.indexOf(least as LogLevel)) return;
  const params = { level, data, ...(logger !== undefined && { logger }) };
  // A message that is not JSON, or whose client has disconnected, is lost: it must not fail the request.
  exchange.notify(METHODS.notificationsMessage, params).catch(() => undefined);
}

/** A request without a session names its level. Without one its client gets no messages. */
function wantedBy({ origin, meta }: ServerExchange): unknown {
  const { session } = origin;
  return session === undefined
    ? member(meta, META_KEYS.logLevel)
    : (session.logLevel ?? FIRST_LEVEL);
}
