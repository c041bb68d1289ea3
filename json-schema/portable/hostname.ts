/** Host names, by RFC 1123, and internationalized ones, by RFC 5890. */
import { bidirectional, matchesBidi, matchesLabel } from './idna.js';
import { decodePunycode, encodePunycode } from './punycode.js';

export function matchesHostname(value: string): boolean {
  if (value.length > 253) return false;
  const labels = value.split('.');
  return labels.every(isAsciiLabel) && inDirection(labels.map(decoded));
}

/** Three other characters separate labels like a dot. */
export function matchesIdnHostname(value: string): boolean {
  // An encoded label has at least one character for each of its code points.
  if (value.length > 2 * 253) return false;
  const labels = value.split(/[.\u3002\uff0e\uff61]/);
  if (!labels.every((label) => (isAscii(label) ? isAsciiLabel(label) : isLabel(label))))
    return false;
  return labels.map(encoded).join('.').length <= 253 && inDirection(labels.map(decoded));
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);
const isEncoded = (label: string): boolean => /^xn--/i.test(label);

/** Letters, digits and hyphens; hyphens in the third and fourth place only for an encoded label. */
function isAsciiLabel(label: string): boolean {
  if (!/^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(label)) return isEncodedLabel(label);
  return label.slice(2, 4) !== '--' || isEncodedLabel(label);
}

/** The encoded form of a label is unique. */
function isEncodedLabel(label: string): boolean {
  if (!isEncoded(label) || label.length > 63) return false;
  const text = decoded(label);
  return !isAscii(text) && isLabel(text) && encoded(text) === label.toLowerCase();
}

const isLabel = (label: string): boolean => encoded(label).length <= 63 && matchesLabel(label);

/** The empty text, which is no label, for malformed code. */
function decoded(label: string): string {
  return isEncoded(label) ? (decodePunycode(label.slice(4).toLowerCase()) ?? '') : label;
}

function encoded(label: string): string {
  return isAscii(label) ? label : `xn--${encodePunycode(label)}`;
}

/** One label that is written from right to left subjects all to the rule of RFC 5893. */
function inDirection(labels: readonly string[]): boolean {
  return !labels.some(bidirectional) || labels.every(matchesBidi);
}
