import { isDeepStrictEqual } from 'node:util';
import { DIALECT_REVISIONS, revisionsWhere } from '../../../generator/ir/revisions/index.js';
import { jsonPointer } from '../../../json-schema/pointer.js';
import { quote } from '../../../json-schema/text.js';
import { changeAsLine, compareEntries, VERDICTS } from '../../lock/index.js';
import type { Change, Lock, Sent } from '../../lock/index.js';
import { LISTS } from '../../../runtime/rules/messages.js';
import { at, isRecord, textAt } from '../../validate/index.js';
import type { LockBreach } from './finding.js';

/** The lists that are compared with those of the lock. */
const COMPARED = ['tools', 'prompts'] as const;
type List = (typeof COMPARED)[number];

interface Place {
  readonly part: List;
  readonly name: string;
  readonly pointer: string;
}

/** The first revision in which tools have a schema of results and `_meta`. */
const [SCHEMAS_SINCE = ''] = revisionsWhere(
  ({ strictCapabilities }) => strictCapabilities === true,
);
/** Members of a tool that not every revision has. */
const OF_REVISION: Readonly<Record<string, (revision: string) => boolean>> = {
  execution: (revision) => revision === DIALECT_REVISIONS.core,
  outputSchema: (revision) => revision >= SCHEMAS_SINCE,
  _meta: (revision) => revision >= SCHEMAS_SINCE,
};
/** A server may change all its tools, and a comparison of large schemas takes time. */
const MOST_COMPARED = 100;
/** Changes of one entry that are reported. */
const MOST_CHANGES = 20;

/** The list that a method answers, where the lock has it. */
export function listOf(method: string | undefined): List | undefined {
  return COMPARED.find((list) => LISTS[list].method === method);
}

/** Compares the tools and prompts of one session with those of a lock. */
export class Definitions {
  readonly #lock: Lock;
  /** Tools and prompts whose definitions in this session break the lock. */
  readonly #broken = new Set<string>();
  /** Entries of lists that are to be taken out. */
  readonly #refused = new WeakSet();
  /** Tools with compatible changes, as the server listed them. */
  readonly #compatible = new Map<string, Sent>();

  constructor(lock: Lock) {
    this.#lock = lock;
  }

  /** A tool or prompt of the lock. */
  promised(list: List, name: string): Sent | undefined {
    return this.#lock[list].find((entry) => entry['name'] === name);
  }

  /** The schema of a tool's arguments: that of the session, where it accepts more than the lock's. */
  inputSchema(tool: string): unknown {
    const entry = this.#compatible.get(tool) ?? this.promised('tools', tool);
    return entry?.['inputSchema'];
  }

  /** The breaches of a request that names a tool or prompt. */
  named(list: List, name: string): LockBreach[] {
    const what = sayEntry(list, name);
    const pointer = '/params/name';
    if (!this.promised(list, name)) {
      return [{ code: 'not-in-lock', message: `${what} is not in the lock.`, pointer }];
    }
    if (!this.#broken.has(keyOf(list, name))) return [];
    const message = `${what} has another definition than in the lock.`;
    return [{ code: 'differs-from-lock', message, pointer }];
  }

  /** The breaches of an answer with a list, in a session of that revision. */
  listed(list: List, message: unknown, revision = this.#lock.revision): LockBreach[] {
    const entries = at(message, 'result', list);
    if (!Array.isArray(entries)) return [];
    const named = entries.flatMap((entry: unknown, index) => {
      const name = textAt(entry, 'name');
      return name === undefined ? [] : [{ entry: entry as Sent, name, index }];
    });
    for (const { name } of named) this.#forget(list, name);
    let compared = 0;
    return named.flatMap(({ entry, name, index }) => {
      const place = { part: list, name, pointer: jsonPointer(['result', list, index]) };
      const promised = this.promised(list, name);
      if (!promised) {
        this.#refused.add(entry);
        return this.named(list, name).map((breach) => ({ ...breach, pointer: place.pointer }));
      }
      const revisions = [revision, this.#lock.revision];
      const before = inRevisions(promised, revisions);
      const after = inRevisions(entry, revisions);
      if (isDeepStrictEqual(before, after)) return [];
      compared += 1;
      const isTooMuch = compared > MOST_COMPARED;
      const changes = isTooMuch
        ? [unknownChange(place)]
        : compareEntries(list, before, after, place);
      this.#note(list, entry, name, changes);
      return breachesOf(changes, place);
    });
  }

  /** The entries of a list without those that break the lock. */
  kept(entries: readonly unknown[]): unknown[] {
    return entries.filter((entry) => !isRecord(entry) || !this.#refused.has(entry));
  }

  #forget(list: List, name: string): void {
    this.#broken.delete(keyOf(list, name));
    if (list === 'tools') this.#compatible.delete(name);
  }

  #note(list: List, entry: Sent, name: string, changes: readonly Change[]): void {
    if (changes.some(({ verdict }) => verdict !== 'compatible')) {
      this.#broken.add(keyOf(list, name));
      this.#refused.add(entry);
    } else if (list === 'tools') this.#compatible.set(name, entry);
  }
}

/** The worst changes first, and how many more there are. */
function breachesOf(changes: readonly Change[], place: Place): LockBreach[] {
  const rank = ({ verdict }: Change): number => VERDICTS.indexOf(verdict);
  const sorted = changes.toSorted((a, b) => rank(a) - rank(b));
  const left = sorted.length - MOST_CHANGES;
  return sorted.slice(0, MOST_CHANGES).map((change, index) => {
    const { verdict, rule, witness } = change;
    const more =
      index === MOST_CHANGES - 1 && left > 0 ? ` (and ${String(left)} more changes)` : '';
    const isCompatible = verdict === 'compatible';
    const how = isCompatible ? 'has a compatible change' : `differs from the lock (${verdict})`;
    return {
      code: isCompatible ? 'compatible-change' : 'differs-from-lock',
      message: `${sayEntry(place.part, place.name)} ${how}: ${changeAsLine(change)}${more}.`,
      pointer: place.pointer,
      change: { verdict, rule, ...(witness && { witness }) },
    };
  });
}

/** In place of the changes of an entry that is not compared. */
function unknownChange(place: Place): Change {
  const message = 'the definition changed';
  const reason = `only ${String(MOST_COMPARED)} changed entries of one answer are compared`;
  return { ...place, verdict: 'unclear', rule: 'text', message, reason };
}

/** An entry without the members that one of the revisions does not have. */
function inRevisions(entry: Sent, revisions: readonly string[]): Sent {
  const entries = Object.entries(entry);
  return Object.fromEntries(
    entries.filter(([key]) => revisions.every((each) => OF_REVISION[key]?.(each) ?? true)),
  );
}

const keyOf = (list: List, name: string): string => `${list} ${name}`;

function sayEntry(list: List, name: string): string {
  return `The ${list.slice(0, -1)} ${quote(name)}`;
}
