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
