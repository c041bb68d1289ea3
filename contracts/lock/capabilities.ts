import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import type { Change } from './change.js';
import type { Sent } from './model.js';
import { isEqual, own, wordsOf } from './texts.js';

/** What the server declares, path by path. What it does not declare, and `false`, count alike. */
export function compareCapabilities(before: Sent, after: Sent): Change[] {
  return compareAt(before, after, []);
}

/** The words of the protocol in capabilities of servers; all others are texts. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['tools', 'prompts', 'resources', 'listChanged', 'subscribe', 'logging', 'completions'],
  ...['tasks', 'list', 'cancel', 'requests', 'call', 'experimental', 'extensions'],
]);

type Declared = JsonValue | undefined;

function compareAt(before: Declared, after: Declared, path: readonly string[]): Change[] {
  if (isEqual(before, after)) return [];
  if (isObject(before) && isObject(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].flatMap((key) => compareAt(own(before, key), own(after, key), [...path, key]));
  }
  const [was, is] = [isDeclared(before), isDeclared(after)];
  if (!was && !is) return [];
  const change = { rule: 'capability', part: 'capabilities', pointer: pointerTo(path) } as const;
  const name = quote(path.join('.'));
  if (!was) {
    const isKnown = [...path, ...wordsOf(after)].every((word) => KNOWN.has(word));
    const message = `the capability ${name} is new`;
    if (isKnown) return [{ ...change, verdict: 'compatible', message }];
    return [{ ...change, verdict: 'text', message, ...(after !== undefined && { after }) }];
  }
  if (!is) {
    const reason = 'requests and notifications that need it are refused or missing now';
    return [{ ...change, verdict: 'breaking', message: `the capability ${name} is gone`, reason }];
  }
  const reason = 'the meaning of its value is not in the protocol';
  return [{ ...change, verdict: 'unclear', message: `the capability ${name} changed`, reason }];
}

function isDeclared(value: Declared): boolean {
  return value !== undefined && value !== false;
}

const pointerTo = (path: readonly string[]): string => jsonPointer(['capabilities', ...path]);
