import { isMasked } from './message.js';
import { isRecord } from './record.js';
import { followsName, shownAs } from './shown.js';
import type { Inside } from './shown.js';
import { MASK } from './text.js';

/** Whether the answers in a form may be masks: then all texts are. */
export function mayBeMaskedForm(content: unknown): boolean {
  if (!isRecord(content)) return false;
  return Object.values(content)
    .flat()
    .every((answer) => typeof answer !== 'string' || answer === '' || isMasked(answer));
}

/**
 * Whether the part of a value at this path may stand for a secret, of the same type. A text shows that by its mark; a number or
 * a boolean, which are masked as 0 and false, by its place alone.
 */
export function mayBeMasked(root: unknown, path: readonly string[], inside: Inside): boolean {
  let part = root;
  let around: Inside = inside;
  let isSecret = false;
  for (const key of path) {
    if (Array.isArray(part)) {
      const index = Number(key);
      isSecret ||= followsName(part[index - 1], around);
      part = part[index] as unknown;
    } else if (isRecord(part) && Object.hasOwn(part, key)) {
      const value = part[key];
      const shown = shownAs(key, value, part, around);
      if (shown === MASK) isSecret = true;
      else around = shown;
      part = value;
    } else return false;
  }
  if (typeof part === 'string') return isMasked(part);
  return (part === 0 || part === false) && (isSecret || around === 'hidden');
}
