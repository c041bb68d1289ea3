import type { Format } from '../../json-schema/index.js';
import type { SupportModule } from './imports.js';

/** How a format is checked, and what it is called. */
export interface FormatChecker {
  /** The support module with the function. */
  readonly module: SupportModule;
  /** A function `(value: string) => boolean`. */
  readonly name: string;
  /** For error messages, to follow "must be". */
  readonly words: string;
}

export const FORMAT_CHECKERS: Readonly<Record<Format, FormatChecker>> = {
  byte: { module: 'byte', name: 'matchesByte', words: 'base64 text' },
  date: { module: 'date-time', name: 'matchesDate', words: 'a date' },
  'date-time': { module: 'date-time', name: 'matchesDateTime', words: 'a date and time' },
  duration: { module: 'date-time', name: 'matchesDuration', words: 'a duration' },
  email: { module: 'email', name: 'matchesEmail', words: 'an e-mail address' },
  hostname: { module: 'hostname', name: 'matchesHostname', words: 'a host name' },
  'idn-email': {
    module: 'email',
    name: 'matchesIdnEmail',
    words: 'an internationalized e-mail address',
  },
  'idn-hostname': {
    module: 'hostname',
    name: 'matchesIdnHostname',
    words: 'an internationalized host name',
  },
  ipv4: { module: 'ip', name: 'matchesIpv4', words: 'an IPv4 address' },
  ipv6: { module: 'ip', name: 'matchesIpv6', words: 'an IPv6 address' },
  iri: { module: 'reference', name: 'matchesIri', words: 'an IRI' },
  'iri-reference': {
    module: 'reference',
    name: 'matchesIriReference',
    words: 'an IRI or a relative reference',
  },
  'json-pointer': { module: 'pointer', name: 'matchesJsonPointer', words: 'a JSON pointer' },
  regex: { module: 'regex', name: 'matchesRegex', words: 'a regular expression' },
  'relative-json-pointer': {
    module: 'pointer',
    name: 'matchesRelativeJsonPointer',
    words: 'a relative JSON pointer',
  },
  time: { module: 'date-time', name: 'matchesTime', words: 'a time' },
  uri: { module: 'uri', name: 'matchesUri', words: 'a URI' },
  'uri-reference': {
    module: 'reference',
    name: 'matchesUriReference',
    words: 'a URI or a relative reference',
  },
  'uri-template': {
    module: 'uri-template',
    name: 'matchesUriTemplate',
    words: 'a URI template',
  },
  uuid: { module: 'uuid', name: 'matchesUuid', words: 'a UUID' },
};
