import type { Format } from '../model.js';

/** Texts with each format; the first is the usual one. */
const SAMPLES: Readonly<Record<Format, readonly [string, ...string[]]>> = {
  byte: ['aGVsbG8=', ''],
  date: ['2026-01-31', '1999-12-31'],
  'date-time': ['2026-01-31T12:30:00Z', '1999-12-31T23:59:59.5+01:00'],
  duration: ['PT1H30M', 'P3D'],
  email: ['ann@example.com', 'a.b+c@sub.example.org'],
  hostname: ['example.com', 'localhost'],
  'idn-email': ['ann@example.com', 'änn@exämple.com'],
  'idn-hostname': ['example.com', 'exämple.com'],
  ipv4: ['192.0.2.1', '0.0.0.0'],
  ipv6: ['2001:db8::1', '::'],
  iri: ['https://example.com/a', 'https://exämple.com/ä'],
  'iri-reference': ['https://example.com/a', '/ä'],
  'json-pointer': ['/a/0', ''],
  regex: ['^[a-z]+$', 'a'],
  'relative-json-pointer': ['1/a', '0#'],
  time: ['12:30:00Z', '23:59:59.5+01:00'],
  uri: ['https://example.com/a', 'urn:example:a', 'file:///a'],
  'uri-reference': ['https://example.com/a', '/a?b'],
  'uri-template': ['https://example.com/{id}', 'a'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
};

export function samplesOf(format: Format): readonly string[] {
  return SAMPLES[format];
}
