import type { Dialect as TaskDialect } from '../../runtime/rules/tasks.js';
import type { Wire } from '../../generator/emit/support/wire.js';
import type { Party } from './direction.js';

/** One error of a message, as validators report it. */
export interface Fault {
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  readonly message: string;
}

interface CheckOptions {
  readonly from: Party;
  readonly maxErrors: number;
  readonly extensions: readonly Wire[];
  /** The method whose result a response contains. */
  readonly methodOf: () => string | undefined;
}

export type Verdict =
  { readonly ok: true } | { readonly ok: false; readonly errors: readonly Fault[] };

/** A key below one party's capabilities that a message depends on. */
export interface Capability {
  readonly party: Party;
  readonly path: readonly string[];
}

/** The tables of a revision or an extension: requests, notifications and errors. */
export interface Tables {
  readonly requests: Readonly<
    Record<
      string,
      {
        readonly senders: readonly Party[];
        /** `input`: an entry of another request's result, not a message. */
        readonly carrier: 'message' | 'input';
        /** The possible definitions of its result, the usual one first. */
        readonly results: readonly string[];
        /** Whether `params.task` makes it a task. */
        readonly augmentable: boolean;
        readonly capabilities: readonly Capability[];
      }
    >
  >;
  readonly notifications: Readonly<
    Record<
      string,
      { readonly senders: readonly Party[]; readonly capabilities: readonly Capability[] }
    >
  >;
  /** Codes of errors by their names. */
  readonly errors: Readonly<Record<string, number>>;
}

/** The parts of a revision's or an extension's generated files that are needed. */
export interface Definitions {
  readonly wire: Wire;
  readonly tables: Tables;
  /** Checks a value against the definition of that name; `undefined` where there is none. */
  readonly definition: (
    name: string,
  ) => ((value: unknown, options: { readonly maxErrors: number }) => Verdict) | undefined;
}

export interface Validators extends Definitions {
  readonly validateMessage: (value: unknown, options: CheckOptions) => Verdict;
  /** Whether messages may come in arrays. */
  readonly batches: boolean;
  /** Whether a party MUST use only declared capabilities. */
  readonly strictCapabilities: boolean;
}

export interface Extension {
  readonly name: string;
  /** Its id in capabilities. */
  readonly id: string;
  /** The revisions that it may be used with, oldest first. */
  readonly extends: readonly string[];
  readonly load: () => Promise<Definitions>;
}

/**
 * Reads a JSON Schema of a stranger, in time that is linear in the schema and the values. The function says why a value does
 * not match, in a clause; `undefined` when it matches, and when the schema is not supported. `isHidden`: whether the part at
 * a path stands for another value of the same type, because it was masked.
 */
export type SchemaCheck = (
  schema: Readonly<Record<string, unknown>>,
) => (value: unknown, isHidden: (path: readonly string[]) => boolean) => string | undefined;

/** All revisions and extensions. */
export interface Protocols {
  /** By version, oldest first. */
  readonly revisions: Readonly<Record<string, () => Promise<Validators>>>;
  readonly extensions: readonly Extension[];
  /** Loads what compares values with the schemas in messages. Without it, they are not compared. */
  readonly loadSchemaCheck?: () => Promise<SchemaCheck>;
}

/** A revision with its active extensions. */
export interface Dialect {
  readonly revision: string;
  readonly validators: Validators;
  readonly extensions: readonly Definitions[];
  readonly wires: readonly Wire[];
  /** The dialect of its tasks: that of 2025-11-25, or that of the extension. */
  readonly tasks: TaskDialect | undefined;
  /** Whether each request contains the data that `initialize` exchanges in other revisions. */
  readonly stateless: boolean;
}

export function dialectOf(
  revision: string,
  validators: Validators,
  extensions: readonly Definitions[],
): Dialect {
  const { requests } = validators.tables;
  const hasExtension = extensions.some(({ tables }) => Object.hasOwn(tables.requests, 'tasks/get'));
  return {
    revision,
    validators,
    extensions,
    wires: extensions.map(({ wire }) => wire),
    tasks: Object.hasOwn(requests, 'tasks/result') ? 'core' : hasExtension ? 'ext' : undefined,
    stateless: !Object.hasOwn(requests, 'initialize'),
  };
}

/** The senders of a method; `undefined` for an unknown method. */
export function sendersOf(method: string, dialect: Dialect): Party | 'both' | undefined {
  const request = requestInfo(method, dialect);
  const senders = [
    ...(request?.carrier === 'message' ? request.senders : []),
    ...(notificationInfo(method, dialect)?.senders ?? []),
  ];
  const [first, ...others] = senders;
  return others.some((each) => each !== first) ? 'both' : first;
}

/** The table entry of a request. */
export function requestInfo(
  method: string,
  { validators, extensions }: Dialect,
): Tables['requests'][string] | undefined {
  for (const { tables } of [validators, ...extensions]) {
    if (Object.hasOwn(tables.requests, method)) return tables.requests[method];
  }
  return undefined;
}

/** The table entry of a notification. */
export function notificationInfo(
  method: string,
  { validators, extensions }: Dialect,
): Tables['notifications'][string] | undefined {
  for (const { tables } of [validators, ...extensions]) {
    if (Object.hasOwn(tables.notifications, method)) return tables.notifications[method];
  }
  return undefined;
}

/** Checks a value against a definition of an active extension, else of the revision. */
export function checkDefinition(
  name: string,
  value: unknown,
  { validators, extensions }: Dialect,
  maxErrors: number,
): readonly Fault[] {
  for (const { definition } of [...extensions, validators]) {
    const check = definition(name);
    if (!check) continue;
    const verdict = check(value, { maxErrors });
    return verdict.ok ? [] : verdict.errors;
  }
  return [];
}
