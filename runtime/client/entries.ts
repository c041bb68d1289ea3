/** Reads lists of a server entry by entry: an invalid entry is left out, and the others are used. */

import { METHODS } from '../protocol.js';
import { LISTS } from '../rules/messages.js';
import type { JsonObject } from '../tasks/index.js';
import { member } from '../peer/wire/json.js';
import { messagesOf, type Revision } from '../peer/wire/revision.js';
import { invalidAnswer } from './errors.js';
import { printable } from './printable.js';

interface List {
  /** The member of the result that contains the entries. */
  readonly member: string;
  /** The member of an entry that identifies it. */
  readonly key: string;
  /** What an entry is called in messages. */
  readonly noun: string;
}

const TASKS = { method: METHODS.tasksList, key: 'taskId', noun: 'task' } as const;
/** By method. */
const READ: ReadonlyMap<string, List> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ Object.entries({ ...LISTS, tasks: TASKS }).map(
    ([member, list]) => [list.method, { ...list, member }] as const,
  ),
);

/** Whether the result of a method is a list that is read entry by entry. */
export function isList(method: string): boolean {
  return READ.has(method);
}

/** An entry of a list of the server that the client does not use. */
export interface LeftOut {
  /** The method that lists it: `tools/list`. */
  readonly method: string;
  /** Its name, URI, URI template or task id. Undefined if it has none. */
  readonly name: string | undefined;
  /** Why, as sentences that begin with a JSON pointer: `/tools/1/inputSchema must be an object, but is null.` */
  readonly fault: string;
  /** As the server sent it. */
  readonly entry: unknown;
}

/** Entries of one list that are kept and reported. Of further ones, one message says that there are more. */
const MOST_LEFT_OUT = 100;

/** What the lists of a connection contain that the client does not use. */
export class Entries {
  readonly #onProblem: (error: Error) => void;
  readonly #leftOut = new Map<string, LeftOut[]>();

  constructor(onProblem: (error: Error) => void) {
    this.#onProblem = onProblem;
  }

  get leftOut(): readonly LeftOut[] {
    return [...this.#leftOut.values()].flat();
  }

  /** A page without its invalid entries. `isFirst`: it begins the list. Throws `invalid_answer` if anything else is wrong. */
  read(method: string, page: JsonObject, revision: Revision, isFirst: boolean): JsonObject {
    if (isFirst) this.#leftOut.delete(method);
    const problem = problemOf(page, method, revision);
    if (problem === undefined) return page;
    const { member: name } = listOf(method);
    const entries = page[name];
    if (!Array.isArray(entries) || problemOf({ ...page, [name]: [] }, method, revision)) {
      throw invalidAnswer(`Invalid answer: ${printable(problem.message)}`);
    }
    const valid = (entries as unknown[]).filter((entry, index) => {
      const fault = problemOf({ ...page, [name]: [entry] }, method, revision);
      if (fault !== undefined) this.add(method, entry, at(fault.faults, name, index));
      return fault === undefined;
    });
    return { ...page, [name]: valid };
  }

  /** Leaves out an entry, and reports it. */
  add(method: string, entry: unknown, fault: string): void {
    const { key, noun } = listOf(method);
    const known = this.#leftOut.get(method) ?? [];
    this.#leftOut.set(method, known);
    if (known.length > MOST_LEFT_OUT) return;
    if (known.length === MOST_LEFT_OUT) {
      known.push({
        method,
        name: undefined,
        fault: 'Further entries are invalid.',
        entry: undefined,
      });
      return this.#report(`Left out more than ${MOST_LEFT_OUT} entries of ${method}`);
    }
    const given = member(entry, key);
    const name = typeof given === 'string' ? given : undefined;
    known.push({ method, name, fault, entry });
    this.#report(`Left out ${name === undefined ? `a ${noun}` : `the ${noun} ${name}`}: ${fault}`);
  }

  #report(message: string): void {
    this.#onProblem(new Error(printable(message)));
  }
}

function listOf(method: string): List {
  const list = READ.get(method);
  if (list === undefined) throw new Error(`${method} is not a list`);
  return list;
}

function problemOf(result: JsonObject, method: string, revision: Revision) {
  return revision.check({ jsonrpc: '2.0', id: 0, result }, 'server', () => method);
}

/** The faults of an entry that was checked alone, at its place in the page. */
function at(faults: readonly { readonly message: string }[], name: string, index: number): string {
  const alone = `/result/${name}/0`.length;
  return messagesOf(
    faults.map(({ message }) => ({ message: `/${name}/${index}${message.slice(alone)}` })),
  );
}
