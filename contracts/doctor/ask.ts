import { CallError, statusOf } from '../../runtime/client/index.js';
import type { ClientMethod, JsonObject, TaskClient } from '../../runtime/client/index.js';
import type { Calls, Found } from './model.js';
import type { Show } from './shown.js';
import type { Watch } from './watch.js';

/** The time that is left for a part of the examination. */
export class Deadline {
  readonly #end: number;

  /** Milliseconds. */
  constructor(most: number) {
    this.#end = performance.now() + most;
  }

  get left(): number {
    return Math.max(0, this.#end - performance.now());
  }

  get isOver(): boolean {
    return this.left === 0;
  }
}

/** A session that is examined. */
export interface Probing {
  readonly client: TaskClient;
  readonly watch: Watch;
  readonly deadline: Deadline;
  /** Milliseconds for each answer. */
  readonly patience: number;
  readonly show: Show;
  readonly report: (found: Omit<Found, 'section'>) => void;
  readonly calls: Calls;
  readonly seed: number;
}

type Outcome =
  | { readonly kind: 'result'; readonly result: JsonObject }
  /** `code` is absent where HTTP refused the request. */
  | { readonly kind: 'error'; readonly code: number | undefined }
  /** There is no verdict: `validate` says what was wrong with the answer, or the time was too short. */
  | { readonly kind: 'unclear' }
  | { readonly kind: 'none' };

/** How a server answered a request. */
export type Answer = Outcome & {
  /** The request and its answer. */
  readonly evidence: readonly string[];
};

/** The server has ended the connection. */
export class Lost extends Error {}

/** Sends a request, and waits for the answer. @throws {Lost} */
export async function ask(
  probing: Probing,
  method: string,
  params: JsonObject,
  signal?: AbortSignal,
): Promise<Answer> {
  const answer = await outcome(probing, (timeout) =>
    probing.client.request(method as ClientMethod, params, {
      ...{ timeout, checksItself: true },
      ...(signal && { signal }),
    }),
  );
  return { ...answer, evidence: evidenceOf(probing, method) };
}

/** The last exchange of a method, for a finding. */
export function evidenceOf({ watch, show }: Probing, method: string): readonly string[] {
  return watch.exchange(method).map((message) => show(message));
}

/** What becomes of what `send` sends, which gets the milliseconds that it may take. @throws {Lost} */
export async function outcome(
  { deadline, patience }: Probing,
  send: (timeout: number) => Promise<unknown>,
): Promise<Outcome> {
  const isShort = deadline.left < patience;
  try {
    const result = await send(Math.max(1, Math.min(patience, deadline.left)));
    return { kind: 'result', result: result as JsonObject };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { failure, cause } = error;
    if (failure.reason === 'rpc_error') return { kind: 'error', code: failure.error.code };
    if (causes(error).some((each) => statusOf(each) !== undefined)) {
      return { kind: 'error', code: undefined };
    }
    if (
      failure.reason === 'lost' &&
      causes(cause).some(({ name }) => name === 'ConnectionClosed')
    ) {
      throw new Lost(error.message, { cause: error });
    }
    return { kind: failure.reason === 'timeout' && !isShort ? 'none' : 'unclear' };
  }
}

function causes(error: unknown): readonly Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}
