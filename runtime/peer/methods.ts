import type { Capability, Party, RequestInfo } from '../../generated/support/protocol.js';
import type { RevisionVersion } from '../protocol.js';
import type { JsonObject } from '../tasks/index.js';
import { at } from './wire/json.js';
import type { MethodsOf, ParamsIn, ResultIn } from './wire/messages.js';
import type { Revision } from './wire/revision.js';
import type { Exchange } from './exchange.js';

/**
 * Answers a request whose params were checked. Taken from a method, so that a row of the params of one method is a row of
 * any: the peer gives it only what was checked as these.
 */
export type Handler<O, P = JsonObject, R = JsonObject> = {
  answer(params: P, exchange: Exchange<O>): R | Promise<R>;
}['answer'];

/** What serves a method. */
export interface Row<O, P = JsonObject, R = JsonObject> {
  readonly answer: Handler<O, P, R>;
  /** The method whose result the answer has to be. Default: this one. */
  readonly checkedAs?: string;
}

/** By method. */
export type Rows<O> = Readonly<Record<string, Row<O> | undefined>>;

/** The row of a method in one of the revisions. */
export type RowOf<O, V extends RevisionVersion, M> = Row<O, ParamsIn<V, M>, ResultIn<V, M>>;

/** All methods that a side serves in the revisions when it declares a feature; with `always`, those that need none. */
export type RowsOf<O, P extends Party, F, V extends RevisionVersion = RevisionVersion> = {
  readonly [M in MethodsOf<V, P, F> & string]: RowOf<O, V, M>;
};

/** A method that a peer serves: its row, and what its revision says of it. */
export interface Method<O> {
  readonly method: string;
  readonly info: RequestInfo;
  readonly answer: Handler<O>;
  readonly checkedAs: string;
}

export type Methods<O> = ReadonlyMap<string, Method<O>>;

/**
 * The methods of a revision that `receiver` serves: those that the revision lets the other side send, for which there
 * is a row, and whose capability is declared.
 */
export function methodsOf<O>(
  { requests }: Pick<Revision, 'requests'>,
  receiver: Party,
  rows: Rows<O>,
  capabilities: JsonObject,
): Methods<O> {
  const methods = new Map<string, Method<O>>();
  for (const [method, info] of Object.entries(requests)) {
    const row = rows[method];
    if (row === undefined || info.carrier !== 'message') continue;
    if (!info.senders.some((sender) => sender !== receiver)) continue;
    if (!declares(info.capabilities, receiver, capabilities)) continue;
    methods.set(method, { method, info, answer: row.answer, checkedAs: row.checkedAs ?? method });
  }
  return methods;
}

/** Whether all of these capabilities are declared. */
export function declares(
  needed: readonly Capability[],
  party: Party,
  capabilities: JsonObject,
): boolean {
  return needed.every((each) => {
    if (each.party !== party) return true;
    const declared = at(capabilities, each.path);
    return declared !== undefined && declared !== false;
  });
}
