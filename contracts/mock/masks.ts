import { pointerParts } from '../../json-schema/pointer.js';
import { MARK, MASK as SHOWN_MASK } from '../validate/secrets/index.js';
import { isSecretName } from '../validate/secrets/names.js';

/** What stands for a secret in a recording, and on a page. */
const MASK = new RegExp(`${MARK.source}|${SHOWN_MASK}`);

/** Whether a text is a mask, or contains one. */
export function isMaskedText(text: string): boolean {
  return MASK.test(text);
}

/** Whether a value is a recorded text with something in place of each mask. Each part is searched once. */
export function isLikeMasked(recorded: string, text: unknown): boolean {
  const [first = '', ...others] = recorded.split(MASK);
  const last = others.pop();
  if (typeof text !== 'string' || last === undefined) return false;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of others) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}

/** Whether the value under a name is a secret that was masked as a whole: a number or a truth value keeps its type. */
export function isMaskedValue(name: string, value: unknown): boolean {
  if (typeof value === 'string') return MASK.exec(value)?.[0] === value;
  return (value === 0 || value === false) && isSecretName(name);
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
