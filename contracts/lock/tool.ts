import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { quote } from '../../json-schema/text.js';
import type { At, Change } from './change.js';
import type { Sent } from './model.js';
import { schemaChanges } from './schemas.js';
import { own, textChange } from './texts.js';

/** Keys of a tool that have rules of their own; all others are texts. */
const RULED = new Set(['name', 'inputSchema', 'outputSchema', 'execution', 'annotations']);

export function compareTools(before: Sent, after: Sent, at: At): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [
    ...schemaChanges('input', schemaIn(before), schemaIn(after), below(at, 'inputSchema')),
    ...compareOutputs(before['outputSchema'], after['outputSchema'], below(at, 'outputSchema')),
    ...compareExecution(before['execution'], after['execution'], below(at, 'execution')),
    ...compareHints(before['annotations'], after['annotations'], below(at, 'annotations')),
    ...[...keys]
      .filter((key) => !RULED.has(key))
      .flatMap((key) => textChange(below(at, key), key, own(before, key), own(after, key))),
  ];
}

export function below(at: At, key: string): At {
  return { ...at, pointer: at.pointer + jsonPointer([key]) };
}

/** A tool without a schema takes any arguments. */
const schemaIn = ({ inputSchema = { type: 'object' } }: Sent): JsonValue => inputSchema;

function compareOutputs(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: At,
): Change[] {
  if (before !== undefined && after !== undefined)
    return schemaChanges('output', before, after, at);
  if (before === after) return [];
  const change = { rule: 'output', direction: 'output', ...at } as const;
  if (after !== undefined) {
    return [
      { ...change, verdict: 'text', message: 'the tool promises structured results now', after },
    ];
  }
  const reason = 'results need no structuredContent any more';
  return [{ ...change, verdict: 'breaking', message: 'the output schema is gone', reason }];
}

/** Why a caller fails, by the task support before and after; absent where none does. */
const TASK_SUPPORT: Readonly<Record<string, string>> = {
  'forbidden required': 'calls without a task are refused now',
  'optional required': 'calls without a task are refused now',
  'optional forbidden': 'calls as a task are refused now',
  'required forbidden': 'calls as a task are refused now',
};

function compareExecution(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: At,
): Change[] {
  const [was, is] = [supportIn(before), supportIn(after)];
  const change = { rule: 'task-support', ...at } as const;
  const reason = TASK_SUPPORT[`${was} ${is}`];
  const message = `the task support was ${quote(was)} and is ${quote(is)}`;
  const isKnown = [was, is].every((each) => SUPPORTS.includes(each));
  const unclear = 'the meaning of its value is not in the protocol';
  const changes: Change[] =
    was === is
      ? []
      : reason !== undefined
        ? [{ ...change, verdict: 'breaking', message, reason }]
        : isKnown
          ? [{ ...change, verdict: 'compatible', message }]
          : [{ ...change, verdict: 'unclear', message, reason: unclear }];
  const [rest, others] = [withoutSupport(before), withoutSupport(after)];
  return [...changes, ...textChange(at, 'execution', rest, others)];
}

const SUPPORTS = ['forbidden', 'optional', 'required'];

/** The default is that of the protocol. */
function supportIn(execution: JsonValue | undefined): string {
  const support = isObject(execution) ? execution['taskSupport'] : undefined;
  return typeof support === 'string' ? support : 'forbidden';
}

/** Undefined when nothing else is in it. */
function withoutSupport(execution: JsonValue | undefined): JsonValue | undefined {
  if (!isObject(execution)) return execution;
  const rest = Object.entries(execution).filter(([key]) => key !== 'taskSupport');
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** The hints of a tool's annotations: what a host assumes without them, and what it should not let run without a question. */
const HINTS: Readonly<
  Record<string, { readonly preset: boolean; readonly risky: boolean; readonly risk: string }>
> = {
  readOnlyHint: {
    preset: false,
    risky: false,
    risk: 'the tool says now that it may change things',
  },
  destructiveHint: {
    preset: true,
    risky: true,
    risk: 'the tool says now that it may destroy things',
  },
  idempotentHint: {
    preset: false,
    risky: false,
    risk: 'the tool says now that a second call may have a further effect',
  },
  openWorldHint: {
    preset: true,
    risky: true,
    risk: 'the tool says now that it reaches other systems',
  },
};

/** Compares the annotations of a tool. A value that says what hosts assume anyway is no change for them. */
function compareHints(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  at: At,
): Change[] {
  const [was, is] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const keys = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...keys].flatMap((key): Change[] => {
    const [change] = textChange(at, `annotations.${key}`, own(was, key), own(is, key));
    const hint = Object.hasOwn(HINTS, key) ? HINTS[key] : undefined;
    if (!change || !hint) return change ? [change] : [];
    const [old, now] = [own(was, key) ?? hint.preset, own(is, key) ?? hint.preset];
    if (old === now) return [{ ...change, verdict: 'compatible', rule: 'hint' }];
    const message = now === hint.risky ? `${change.message}: ${hint.risk}` : change.message;
    return [{ ...change, rule: 'hint', message }];
  });
}
