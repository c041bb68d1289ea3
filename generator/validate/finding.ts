import { printable } from '../diagnostics/index.js';
import type { Paint } from '../diagnostics/index.js';
import type { Party } from './direction.js';

/**
 * What can be found in an input, by a code that never changes its meaning. `error`: something is
 * invalid. `unclear`: something could not be judged until the caller says more.
 */
export const FINDINGS = {
  'not-json': 'error',
  'too-large': 'error',
  'bad-message': 'error',
  'bad-batch': 'error',
  'reused-id': 'error',
  'unknown-revision': 'error',
  'no-revision': 'unclear',
  'no-sender': 'unclear',
  unasked: 'warning',
  'no-messages': 'warning',
} as const satisfies Record<string, 'error' | 'unclear' | 'warning'>;

export type FindingCode = keyof typeof FINDINGS;
export type Severity = (typeof FINDINGS)[FindingCode];

export interface Finding {
  readonly file: string;
  /** Where the message begins; from 1. */
  readonly line: number;
  readonly severity: Severity;
  readonly code: FindingCode;
  /** One sentence. */
  readonly message: string;
  /** RFC 6901, into the JSON that begins on that line. */
  readonly pointer?: string;
  readonly expected?: string;
  readonly received?: string;
  /** What the message is. */
  readonly kind?: Kind;
  readonly method?: string;
  readonly from?: Party;
}

export type Kind = 'request' | 'notification' | 'response' | 'error';

const LONGEST = 200;

/** A stranger's text, cut. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const COLOURS = {
  error: 'red',
  unclear: 'yellow',
  warning: 'yellow',
} as const satisfies Record<Severity, keyof Paint>;

/** `trace.jsonl:12: error: /params/name: expected a string, received nothing (tools/call …)`. */
export function findingAsText(finding: Finding, paint: Paint): string {
  const { file, line, severity } = finding;
  const place = paint.bold(printable(`${file}:${String(line)}`));
  const colour = paint[COLOURS[severity]];
  const whose = paint.dim(printable(sayWhose(finding)));
  return `${place}: ${colour(severity)}: ${printable(sayWhat(finding))}${whose}\n`;
}

function sayWhat({ message, pointer, expected, received }: Finding): string {
  if (expected === undefined || received === undefined) return message;
  return `${pointer ? `${pointer}: ` : ''}expected ${expected}, received ${received}`;
}

function sayWhose({ kind, method, from }: Finding): string {
  if (kind === undefined) return '';
  const asks = kind === 'request' || kind === 'notification';
  const name = method === undefined ? kind : asks ? `${method} ${kind}` : `${kind} to ${method}`;
  return ` (${name}${from ? ` from the ${from}` : ''})`;
}
