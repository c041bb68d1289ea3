import type { Format } from './model.js';
import { matchesByte } from './portable/byte.js';
import {
  matchesDate,
  matchesDateTime,
  matchesDuration,
  matchesTime,
} from './portable/date-time.js';
import { matchesEmail, matchesIdnEmail } from './portable/email.js';
import { matchesHostname, matchesIdnHostname } from './portable/hostname.js';
import { matchesIpv4, matchesIpv6 } from './portable/ip.js';
import { matchesJsonPointer, matchesRelativeJsonPointer } from './portable/pointer.js';
import { matchesIri, matchesIriReference, matchesUriReference } from './portable/reference.js';
import { matchesRegex } from './portable/regex.js';
import { matchesUriTemplate } from './portable/uri-template.js';
import { matchesUri } from './portable/uri.js';
import { matchesUuid } from './portable/uuid.js';

const CHECKS: Readonly<Record<Format, (text: string) => boolean>> = {
  byte: matchesByte,
  date: matchesDate,
  'date-time': matchesDateTime,
  duration: matchesDuration,
  email: matchesEmail,
  hostname: matchesHostname,
  'idn-email': matchesIdnEmail,
  'idn-hostname': matchesIdnHostname,
  ipv4: matchesIpv4,
  ipv6: matchesIpv6,
  iri: matchesIri,
  'iri-reference': matchesIriReference,
  'json-pointer': matchesJsonPointer,
  regex: matchesRegex,
  'relative-json-pointer': matchesRelativeJsonPointer,
  time: matchesTime,
  uri: matchesUri,
  'uri-reference': matchesUriReference,
  'uri-template': matchesUriTemplate,
  uuid: matchesUuid,
};

/** How much longer a check of the format takes than to read the text. */
export function formatCost(format: Format): number {
  return format.startsWith('idn-') ? 64 : 1;
}

/** Texts of a format as most are. To find one takes a fifth of the time of the check, which reads all parts. */
export const USUAL: { readonly [F in Format]?: RegExp } = {
  'date-time':
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/,
  email: /^[\w+-]+(?:\.[\w+-]+)?@[A-Za-z\d]+(?:[.-][A-Za-z\d]+)?\.[A-Za-z]+$/,
};

/** The check of a format, in time linear in the text. */
export function formatCheck(format: Format): (text: string) => boolean {
  const [check, usual] = [CHECKS[format], USUAL[format]];
  return usual ? (text) => usual.test(text) || check(text) : check;
}
