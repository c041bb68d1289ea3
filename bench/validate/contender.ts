import type { Party } from '../../generated/2025-11-25/protocol.js';
import type { Sample } from './traffic.js';

/** A measured validator. Each module in `contenders/` exports `open`, which makes one. */
export interface Contender {
  /** Whether the message is valid, with all checks from parsed JSON to a handler. */
  readonly receive: (sample: Sample) => boolean;
  /** How many errors it reports. */
  readonly report: (sample: Sample) => number;
}

export interface ContenderModule {
  readonly open: (inputs: Inputs) => Promise<Contender>;
}

/** The input of contenders, as plain data for other processes. */
export interface Inputs {
  readonly revision: string;
  /** URLs of compiled modules. */
  readonly validators: string;
  readonly ajvStandalone: string;
  readonly ata: string;
  readonly rules: Rules;
  readonly schema: SchemaDocument;
  /** The definitions to compile when the contender is opened: all by default. */
  readonly only?: readonly string[];
}

export interface SchemaDocument {
  readonly $schema: string;
  readonly $defs: Readonly<Record<string, object>>;
}

/** The definition that a message has to match. */
export interface Rules {
  readonly requests: Readonly<Record<string, string>>;
  readonly notifications: Readonly<Record<string, string>>;
  readonly results: Readonly<Record<string, readonly string[]>>;
  readonly senders: Readonly<Record<string, readonly Party[]>>;
  /** The definition of an answer. */
  readonly response: string;
}

/** The rules that apply to one message. */
export function rulesFor(rules: Rules, { message, answers }: Sample): Rules {
  const only = <T>(table: Readonly<Record<string, T>>, method: unknown): Record<string, T> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => name === method));
  return {
    ...rules,
    requests: only(rules.requests, message['method']),
    notifications: only(rules.notifications, message['method']),
    results: only(rules.results, answers),
  };
}

/** Every definition of a message. */
export function wireDefinitions(rules: Rules): string[] {
  const { requests, notifications, results, response } = rules;
  const all = [requests, notifications, results].flatMap((table) =>
    Object.values<string | readonly string[]>(table).flat(),
  );
  return [...new Set([response, ...all])];
}

/** Checks one definition: 0 when the value is valid, else the number of errors found. */
export type DefinitionCheck = (value: unknown) => number;

/**
 * Adds to a validator of single definitions what ours also checks: the kind of a message and whether its
 * sender may send it. It is the same for each of them.
 */
export function byMethod(
  rules: Rules,
  fast: (definition: string) => (value: unknown) => boolean,
  full: (definition: string) => DefinitionCheck,
): Contender {
  const checks = tablesOf(rules, fast);
  const reports = tablesOf(rules, full);
  return {
    receive({ message, from, answers = '' }) {
      const { method } = message;
      if (method !== undefined) {
        return checks[from].get(method as string)?.(message) ?? false;
      }
      if (!checks.response(message)) return false;
      const { result } = message;
      return checks.results.get(answers)?.some((check) => check(result)) ?? false;
    },
    report({ message, from, answers = '' }) {
      const { method } = message;
      if (method !== undefined) return reports[from].get(method as string)?.(message) ?? 1;
      const ofResults = reports.results.get(answers)?.map((check) => check(message['result']));
      return reports.response(message) + Math.min(...(ofResults ?? [1]));
    },
  };
}

interface Tables<F> {
  readonly client: ReadonlyMap<string, F>;
  readonly server: ReadonlyMap<string, F>;
  readonly results: ReadonlyMap<string, readonly F[]>;
  readonly response: F;
}

function tablesOf<F>(rules: Rules, make: (definition: string) => F): Tables<F> {
  const methods = { ...rules.requests, ...rules.notifications };
  const sentBy = (party: Party): Map<string, F> =>
    new Map(
      Object.entries(methods).flatMap(([method, definition]) =>
        rules.senders[method]?.includes(party) ? [[method, make(definition)] as const] : [],
      ),
    );
  const results = Object.entries(rules.results);
  return {
    client: sentBy('client'),
    server: sentBy('server'),
    results: new Map(results.map(([method, names]) => [method, names.map(make)])),
    response: make(rules.response),
  };
}
