import { maskEncoded } from './encoded.js';
import { isRecord } from './record.js';
import { followsName, isOfSchema, isVerbatim, maskOf, shownAs } from './shown.js';
import type { Inside } from './shown.js';
import { MASK, maskText, SHOWN } from './text.js';
import type { TextMasking } from './text.js';

/** How the values of a message are masked. */
export interface Masking {
  /** For a value that is a secret as a whole. */
  readonly hide: (secret: unknown, masking: Masking) => unknown;
  /** For texts that contain secrets. Default: those of a page. */
  readonly text?: TextMasking;
}

const FOR_PAGES: Masking = { hide: () => MASK };
/** Texts longer than this are not read as JSON. */
const LARGEST_JSON = 256_000;

/** A text without its secrets. A text that is JSON is read as JSON. */
export function maskString(text: string, masking: Masking = FOR_PAGES): string {
  if (text.length <= LARGEST_JSON && /^\s*[[{"]/.test(text)) {
    try {
      const value = JSON.parse(text) as unknown;
      const masked = JSON.stringify(maskValue(value, 'message', masking));
      return masked === JSON.stringify(value) ? text : masked;
    } catch {
      // It is no JSON, or too deep.
    }
  }
  return maskText(maskRuns(text, masking), masking.text);
}

/** Masks what is an encoded text with secrets. */
function maskRuns(text: string, masking: Masking): string {
  const { mark } = masking.text ?? SHOWN;
  return maskEncoded(text, (decoded) => maskString(decoded, masking) !== decoded, mark);
}

/** The same value where it contains no secret. */
export function maskValue(value: unknown, inside: Inside, masking: Masking): unknown {
  if (Array.isArray(value)) {
    return copied(value, (each, index) =>
      followsName(value[index - 1], inside)
        ? masking.hide(each, masking)
        : maskValue(each, inside, masking),
    );
  }
  if (isRecord(value)) return maskRecord(value, inside, masking);
  if (inside === 'hidden' && maskOf(value) === MASK) return masking.hide(value, masking);
  if (typeof value !== 'string' || isVerbatim(inside)) return value;
  return inside === 'plain' ? maskRuns(value, masking) : maskString(value, masking);
}

function maskRecord(
  value: Readonly<Record<string, unknown>>,
  inside: Inside,
  masking: Masking,
): unknown {
  const entries = Object.entries(value);
  const masked = copied(entries, (entry) => {
    const [key, each] = entry;
    const shown = shownAs(key, each, value, inside);
    const own = shown === MASK ? masking.hide(each, masking) : maskValue(each, shown, masking);
    const name = isOfSchema(inside) ? key : maskText(key, masking.text);
    return own === each && name === key ? entry : ([name, own] as [string, unknown]);
  });
  return masked === entries ? value : Object.fromEntries(masked);
}

/** The list with each of its parts changed; the same list where none is. */
function copied<T>(list: readonly T[], change: (each: T, index: number) => T): readonly T[] {
  let copy: T[] | undefined;
  for (const [index, each] of list.entries()) {
    const own = change(each, index);
    if (own !== each) copy ??= [...list];
    if (copy) copy[index] = own;
  }
  return copy ?? list;
}
