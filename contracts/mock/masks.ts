import { pointerParts } from '../../json-schema/pointer.js';
import { MARK, MASK as SHOWN_MASK } from '../validate/secrets/index.js';
import { isSecretName } from '../validate/secrets/names.js';

/** What stands for a secret in a recording, and on a page. */
const MASK = new RegExp(`${MARK.source}|${SHOWN_MASK}`);

/** Whether a text is a mask, or contains one. */
export function isMaskedText(text: string): boolean {
  return MASK.test(text);
}

/** The parts of a text before, between and after its masks. */
export function partsOfMasked(text: string): string[] {
  return text.split(MASK);
}

/** What stands for a number or a truth value keeps its type. It is known by the name before it. */
const TYPED: readonly unknown[] = [0, false];

/** Whether the value under a name is a secret that was masked as a whole. */
export function isMaskedValue(name: string, value: unknown): boolean {
  if (typeof value === 'string') return MASK.exec(value)?.[0] === value;
  return TYPED.includes(value) && isSecretName(name);
}

/** Puts masks that match any value at these JSON Pointers, where masks were recorded that look like values. */
export function markAt(message: unknown, pointers: unknown): void {
  for (const pointer of Array.isArray(pointers) ? (pointers as readonly unknown[]) : []) {
    const path = pointerParts(String(pointer));
    const last = path.pop();
    const holder = path.reduce(ownPart, message);
    if (last !== undefined && ownPart(holder, last) !== undefined) {
      (holder as Record<string, unknown>)[last] = SHOWN_MASK;
    }
  }
}

function ownPart(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
