import type { Sample } from './traffic.js';

/** A validator in the race. Each module in `contenders/` exports an `open` that makes one. */
export interface Contender {
  /** Whether the message is valid, along the whole way from parsed JSON to a handler. */
  readonly receive: (sample: Sample) => boolean;
  /** How many errors it reports. */
  readonly report: (sample: Sample) => number;
}

export interface ContenderModule {
  readonly open: (inputs: Inputs) => Promise<Contender>;
}

/** What contenders are made from; plain data, so that other processes can be given it. */
export interface Inputs {
  readonly revision: string;
  /** URLs of compiled modules. */
  readonly validators: string;
  readonly ajvStandalone: string;
  readonly ata: string;
  readonly rules: Rules;
  readonly schema: SchemaDocument;
}

export interface SchemaDocument {
  readonly $schema: string;
  readonly $defs: Readonly<Record<string, object>>;
}

/** Which definition a message has to match. */
export interface Rules {
  readonly requests: Readonly<Record<string, string>>;
  readonly notifications: Readonly<Record<string, string>>;
  readonly results: Readonly<Record<string, readonly string[]>>;
  /** The definition of an answer. */
  readonly response: string;
}

/** Every definition that a message is held against. */
export function wireDefinitions(rules: Rules): string[] {
  const { requests, notifications, results, response } = rules;
  const all = [requests, notifications, results].flatMap((table) =>
    Object.values<string | readonly string[]>(table).flat(),
  );
  return [...new Set([response, ...all])];
}

/** Checks one definition: 0 when the value is valid, else the number of errors found. */
export type DefinitionCheck = (value: unknown) => number;

/** What a validator of single definitions needs around it: the same dispatch for each of them. */
export function byMethod(
  rules: Rules,
  fast: (definition: string) => (value: unknown) => boolean,
  full: (definition: string) => DefinitionCheck,
): Contender {
  const table = <F>(make: (definition: string) => F): MethodTable<F> => ({
    methods: new Map(
      Object.entries({ ...rules.requests, ...rules.notifications }).map(([method, name]) => [
        method,
        make(name),
      ]),
    ),
    results: new Map(
      Object.entries(rules.results).map(([method, names]) => [method, names.map(make)]),
    ),
    response: make(rules.response),
  });
  const checks = table(fast);
  const reports = table(full);
  return {
    receive({ message, answers }) {
      if (answers === undefined) {
        return checks.methods.get(message['method'] as string)?.(message) ?? false;
      }
      if (!checks.response(message)) return false;
      const { result } = message;
      return checks.results.get(answers)?.some((check) => check(result)) ?? false;
    },
    report({ message, answers }) {
      if (answers === undefined) {
        return reports.methods.get(message['method'] as string)?.(message) ?? 1;
      }
      const ofResults = reports.results.get(answers)?.map((check) => check(message['result']));
      return reports.response(message) + Math.min(...(ofResults ?? [1]));
    },
  };
}

interface MethodTable<F> {
  readonly methods: ReadonlyMap<string, F>;
  readonly results: ReadonlyMap<string, readonly F[]>;
  readonly response: F;
}
