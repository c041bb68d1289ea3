/**
 * The rules of IDNA 2008 for the characters of a label (RFC 5892, RFC 5893), by the Unicode properties of
 * the engine. It has none for three that the rules use, so they are approximated by scripts: whether
 * characters join, whether they are written from right to left, and which sign is a virama.
 */

/** Whether a label with characters outside ASCII is valid. The label is not longer than 253 characters. */
export function matchesLabel(label: string): boolean {
  return (
    label === label.normalize('NFC') &&
    !/^-|-$|^..--|^\p{M}/su.test(label) &&
    !/\p{Cs}/u.test(label) &&
    Array.from(label).every(isAllowed) &&
    CONTEXTS.every((rule) => rule(label))
  );
}

const ALLOWED = /[-0-9a-z\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/u;
const CONTEXTUAL = /[\u00b7\u0375\u05f3\u05f4\u30fb\u200c\u200d]/u;
const REFUSED = /[\u302e-\u302f\u0640\u07fa\u3031-\u3035\u303b]/u;
const UNSTABLE = /[\p{Changes_When_NFKC_Casefolded}\p{White_Space}\p{Noncharacter_Code_Point}]/u;
/** Blocks of signs, and the parts of Hangul syllables. */
const BLOCKS =
  /[\u20d0-\u20ff\u{1d100}-\u{1d1ff}\u{1d200}-\u{1d24f}\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb]/u;
const LETTERS = /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/u;

/** The order is that of RFC 5892, section 3. */
function isAllowed(character: string): boolean {
  if (ALLOWED.test(character) || CONTEXTUAL.test(character)) return true;
  if (REFUSED.test(character) || UNSTABLE.test(character) || BLOCKS.test(character)) return false;
  return LETTERS.test(character);
}

/** Combining class 9: all signs that cancel the vowel of a consonant. */
const VIRAMA =
  '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba\\u0f84' +
  '\\u1039\\u103a\\u1714\\u1715\\u1734\\u17d2\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f\\ua806\\ua82c' +
  '\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed\\u{10a3f}\\u{11046}\\u{11070}\\u{1107f}\\u{110b9}\\u{11133}\\u{11134}' +
  '\\u{111c0}\\u{11235}\\u{112ea}\\u{1134d}\\u{11442}\\u{114c2}\\u{115bf}\\u{1163f}\\u{116b6}\\u{1172b}' +
  '\\u{11839}\\u{1193d}\\u{1193e}\\u{119e0}\\u{11a34}\\u{11a47}\\u{11a99}\\u{11c3f}\\u{11d44}\\u{11d45}\\u{11d97}]';
/** Letters of scripts in which letters join. */
const CURSIVE =
  '\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mandaic}\\p{Script=Nko}\\p{Script=Mongolian}' +
  '\\p{Script=Phags_Pa}\\p{Script=Manichaean}\\p{Script=Adlam}\\p{Script=Hanifi_Rohingya}';
/** Letters that join only to the letter before. */
const RIGHT =
  '\\u0622-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06c0' +
  '\\u06c3-\\u06cb\\u06cd\\u06cf\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef\\u0710\\u0715-\\u0719\\u071e\\u0728\\u072a' +
  '\\u072c\\u072f\\u074d';
/** Letters that join to none. */
const ALONE = '\\u0621\\u0674\\u06dd';
const JOINS = /*@__PURE__*/ new RegExp(
  `(?:(?![${RIGHT}${ALONE}])[${CURSIVE}])\\p{Mn}*\\u200c\\p{Mn}*(?![${ALONE}])[${CURSIVE}]`,
  'gu',
);

const BARE_JOINER = /*@__PURE__*/ new RegExp(`(?<!${VIRAMA})\\u200d`, 'u');
const BARE_NON_JOINER = /*@__PURE__*/ new RegExp(`(?<!${VIRAMA})\\u200c`, 'u');

/** Characters that are allowed only in a context, by RFC 5892, appendix A. */
const CONTEXTS: readonly ((label: string) => boolean)[] = [
  (label) => !/(?<!l)\u00b7|\u00b7(?!l)/u.test(label),
  (label) => !/\u0375(?!\p{Script=Greek})/u.test(label),
  (label) => !/(?<!\p{Script=Hebrew})[\u05f3\u05f4]/u.test(label),
  (label) =>
    !label.includes('\u30fb') ||
    /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(label),
  (label) => !/[\u0660-\u0669]/.test(label) || !/[\u06f0-\u06f9]/.test(label),
  (label) => !label.includes('\u200d') || !BARE_JOINER.test(label),
  (label) => !label.includes('\u200c') || !BARE_NON_JOINER.test(label.replace(JOINS, '')),
];

const RIGHT_TO_LEFT =
  '\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}';
const ARABIC_NUMBER = '\\u0660-\\u0669\\u066b\\u066c\\u{10d30}-\\u{10d39}\\u{10e60}-\\u{10e7e}';
const EUROPEAN_NUMBER = '0-9\\u06f0-\\u06f9';
/** Written from right to left, numbers and marks left out. */
const LETTER = `(?![${ARABIC_NUMBER}${EUROPEAN_NUMBER}\\p{Mn}])[${RIGHT_TO_LEFT}]`;

const HAS_RIGHT_TO_LEFT = /*@__PURE__*/ new RegExp(`${LETTER}|[${ARABIC_NUMBER}]`, 'u');
const STARTS_RIGHT_TO_LEFT = /*@__PURE__*/ new RegExp(`^${LETTER}`, 'u');
const ENDS_RIGHT_TO_LEFT = /*@__PURE__*/ new RegExp(
  `(?:${LETTER}|[${ARABIC_NUMBER}${EUROPEAN_NUMBER}])\\p{Mn}*$`,
  'u',
);
const LEFT_TO_RIGHT = /[\p{L}\p{Mc}]/u;

/** Whether a label makes its domain subject to the rule for both directions. */
export function bidirectional(label: string): boolean {
  return HAS_RIGHT_TO_LEFT.test(label);
}

/** Whether a label obeys the rule for both directions (RFC 5893, section 2). */
export function matchesBidi(label: string): boolean {
  if (!STARTS_RIGHT_TO_LEFT.test(label)) {
    return (
      /^[\p{L}]/u.test(label) && !bidirectional(label) && /[\p{L}\p{Mc}\d]\p{Mn}*$/u.test(label)
    );
  }
  const others = label.replace(new RegExp(LETTER, 'gu'), '');
  const bothNumbers =
    new RegExp(`[${ARABIC_NUMBER}]`, 'u').test(label) &&
    new RegExp(`[${EUROPEAN_NUMBER}]`, 'u').test(label);
  return !LEFT_TO_RIGHT.test(others) && !bothNumbers && ENDS_RIGHT_TO_LEFT.test(label);
}
