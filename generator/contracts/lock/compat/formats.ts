import { matchesByte } from '../../../../json-schema/portable/byte.js';
import {
  matchesDate,
  matchesDateTime,
  matchesDuration,
  matchesTime,
} from '../../../../json-schema/portable/date-time.js';
import { matchesEmail, matchesIdnEmail } from '../../../../json-schema/portable/email.js';
import { matchesHostname, matchesIdnHostname } from '../../../../json-schema/portable/hostname.js';
import { matchesIpv4, matchesIpv6 } from '../../../../json-schema/portable/ip.js';
import {
  matchesJsonPointer,
  matchesRelativeJsonPointer,
} from '../../../../json-schema/portable/pointer.js';
import {
  matchesIri,
  matchesIriReference,
  matchesUriReference,
} from '../../../../json-schema/portable/reference.js';
import { matchesRegex } from '../../../../json-schema/portable/regex.js';
import { matchesUriTemplate } from '../../../../json-schema/portable/uri-template.js';
import { matchesUri } from '../../../../json-schema/portable/uri.js';
import { matchesUuid } from '../../../../json-schema/portable/uuid.js';
import type { Format } from '../../../../json-schema/index.js';

interface Checked {
  readonly matches: (text: string) => boolean;
  /** Texts with the format; the first is the usual one. */
  readonly samples: readonly [string, ...string[]];
}

const FORMATS: Readonly<Record<Format, Checked>> = {
  byte: { matches: matchesByte, samples: ['aGVsbG8=', ''] },
  date: { matches: matchesDate, samples: ['2026-01-31', '1999-12-31'] },
  'date-time': {
    matches: matchesDateTime,
    samples: ['2026-01-31T12:30:00Z', '1999-12-31T23:59:59.5+01:00'],
  },
  duration: { matches: matchesDuration, samples: ['PT1H30M', 'P3D'] },
  email: { matches: matchesEmail, samples: ['ann@example.com', 'a.b+c@sub.example.org'] },
  hostname: { matches: matchesHostname, samples: ['example.com', 'localhost'] },
  'idn-email': { matches: matchesIdnEmail, samples: ['ann@example.com', 'änn@exämple.com'] },
  'idn-hostname': { matches: matchesIdnHostname, samples: ['example.com', 'exämple.com'] },
  ipv4: { matches: matchesIpv4, samples: ['192.0.2.1', '0.0.0.0'] },
  ipv6: { matches: matchesIpv6, samples: ['2001:db8::1', '::'] },
  iri: { matches: matchesIri, samples: ['https://example.com/a', 'https://exämple.com/ä'] },
  'iri-reference': { matches: matchesIriReference, samples: ['https://example.com/a', '/ä'] },
  'json-pointer': { matches: matchesJsonPointer, samples: ['/a/0', ''] },
  regex: { matches: matchesRegex, samples: ['^[a-z]+$', 'a'] },
  'relative-json-pointer': { matches: matchesRelativeJsonPointer, samples: ['1/a', '0#'] },
  time: { matches: matchesTime, samples: ['12:30:00Z', '23:59:59.5+01:00'] },
  uri: { matches: matchesUri, samples: ['https://example.com/a', 'urn:example:a', 'file:///a'] },
  'uri-reference': { matches: matchesUriReference, samples: ['https://example.com/a', '/a?b'] },
  'uri-template': { matches: matchesUriTemplate, samples: ['https://example.com/{id}', 'a'] },
  uuid: { matches: matchesUuid, samples: ['123e4567-e89b-12d3-a456-426614174000'] },
};

/** Whether a text has a format. Formats count as rules, because the SDKs' servers and clients check them. */
export function hasFormat(format: Format, text: string): boolean {
  return FORMATS[format].matches(text);
}

export function samplesOf(format: Format): readonly string[] {
  return FORMATS[format].samples;
}
