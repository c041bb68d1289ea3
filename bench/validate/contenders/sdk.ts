import type { Contender, Rules } from '../contender.js';
import type { Sample } from '../traffic.js';

interface Schema {
  safeParse(value: unknown): {
    readonly success: boolean;
    readonly error?: { readonly issues: readonly unknown[] };
  };
}

/** Requests whose handlers are wrapped in a second check of the same schema. */
const CHECKED_TWICE = new Set(['tools/call', 'sampling/createMessage', 'elicitation/create']);

/**
 * The schemas that the transport, the dispatcher and the handler's wrapper apply to a message, in this
 * order. `resultGuards` is the number of tests whether a message is an answer.
 */
export function alongItsPath(
  schemas: Readonly<Record<string, unknown>>,
  rules: Rules,
  resultGuards: number,
): Contender {
  const schema = (name: string): Schema | undefined =>
    schemas[`${name}Schema`] as Schema | undefined;
  const needed = (name: string): Schema => {
    const found = schema(name);
    if (!found) throw new Error(`The SDK has no ${name}Schema.`);
    return found;
  };
  const message = needed('JSONRPCMessage');
  const result = needed('JSONRPCResultResponse');
  const error = needed('JSONRPCErrorResponse');
  const request = needed('JSONRPCRequest');
  const notification = needed('JSONRPCNotification');
  const tables = {
    requests: mapped(rules.requests, schema),
    notifications: mapped(rules.notifications, schema),
    results: mapped(rules.results, (names) => schema(names[0] ?? '')),
  };

  function faults(sample: Sample): number {
    const value = sample.message;
    const parsed = message.safeParse(value);
    if (!parsed.success) return parsed.error?.issues.length ?? 1;
    if (sample.answers !== undefined) {
      for (let i = 0; i < resultGuards; i += 1) if (!result.safeParse(value).success) return 1;
      return issues(tables.results.get(sample.answers), value['result']);
    }
    if (result.safeParse(value).success || error.safeParse(value).success) return 1;
    const method = value['method'] as string;
    if (request.safeParse(value).success) {
      const own = tables.requests.get(method);
      const found = issues(own, value);
      return found === 0 && CHECKED_TWICE.has(method) ? issues(own, value) : found;
    }
    return notification.safeParse(value).success
      ? issues(tables.notifications.get(method), value)
      : 1;
  }
  return { receive: (sample) => faults(sample) === 0, report: faults };
}

/** A method without a schema goes to its handler unchecked. */
function issues(schema: Schema | undefined, value: unknown): number {
  const parsed = schema?.safeParse(value);
  return !parsed || parsed.success ? 0 : (parsed.error?.issues.length ?? 1);
}

function mapped<T, U>(
  table: Readonly<Record<string, T>>,
  map: (value: T) => U | undefined,
): Map<string, U> {
  return new Map(
    Object.entries(table).flatMap(([key, value]) => {
      const found = map(value);
      return found === undefined ? [] : [[key, found] as const];
    }),
  );
}
