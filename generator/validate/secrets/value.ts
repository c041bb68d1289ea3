import { maskEncoded } from './encoded.js';
import { isRecord } from './record.js';
import { followsName, maskOf, shownAs } from './shown.js';
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

export function maskValue(value: unknown, inside: Inside, masking: Masking): unknown {
  if (Array.isArray(value)) {
    return value.map((each: unknown, index) =>
      followsName(value[index - 1], inside)
        ? masking.hide(each, masking)
        : maskValue(each, inside, masking),
    );
  }
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => {
        const shown = shownAs(key, each, value, inside);
        const masked =
          shown === MASK ? masking.hide(each, masking) : maskValue(each, shown, masking);
        return [maskText(key, masking.text), masked];
      }),
    );
  }
  if (inside === 'hidden' && maskOf(value) === MASK) return masking.hide(value, masking);
  if (typeof value !== 'string') return value;
  return inside === 'plain' ? maskRuns(value, masking) : maskString(value, masking);
}
