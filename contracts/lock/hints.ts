import type { JsonValue } from '../../json-schema/index.js';
import { isObject } from '../../json-schema/json.js';
import type { At, Change } from './change.js';
import { own, textChange } from './texts.js';

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
export function compareHints(
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
