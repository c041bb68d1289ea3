import { printable } from '../../json-schema/text.js';
import type { Paint } from '../../generator/diagnostics/index.js';
import type { FindingCode, Severity } from './codes/index.js';
import type { Party } from './direction.js';

export { FINDINGS, RULES } from './codes/index.js';
export type { FindingCode, Severity } from './codes/index.js';

/** A rule that a message breaks. */
export interface Breach {
  readonly code: FindingCode;
  /** What is wrong, then what to do. */
  readonly message: string;
  /** The path from the message to the invalid part. */
  readonly key: readonly (string | number)[];
  /** Set if it differs from the severity of the code. */
  readonly severity?: Severity;
}

export interface Finding {
  readonly file: string;
  /** The line at which the message begins, from 1. */
  readonly line: number;
  readonly severity: Severity;
  readonly code: FindingCode;
  /** The ids of the requirements that it shows broken, in `docs/requirements.md`. Absent for rules about the input. */
  readonly requirement?: readonly string[];
  /** One sentence. */
  readonly message: string;
  /** The JSON pointer (RFC 6901) in the JSON that begins on that line. */
  readonly pointer?: string;
  readonly expected?: string;
  readonly received?: string;
  /** The kind of the message. */
  readonly kind?: Kind;
  readonly method?: string;
  readonly from?: Party;
}

export type Kind = 'request' | 'notification' | 'response' | 'error';

const LONGEST = 200;

/** Untrusted text, cut. */
export function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const COLOURS = {
  error: 'red',
  unclear: 'yellow',
  warning: 'yellow',
} as const satisfies Record<Severity, keyof Paint>;

/** `trace.jsonl:12: error: /params/name: expected a string, received nothing (tools/call …) [BASE-MSG-2]`. */
export function findingAsText(finding: Finding, paint: Paint): string {
  const { file, line, severity } = finding;
  const place = paint.bold(printable(`${file}:${String(line)}`));
  const colour = paint[COLOURS[severity]];
  const whose = paint.dim(printable(sayWhose(finding)) + sayRequirement(finding));
  return `${place}: ${colour(severity)}: ${printable(sayWhat(finding))}${whose}\n`;
}

function sayWhat({ message, pointer, expected, received }: Finding): string {
  if (expected === undefined || received === undefined) return message;
  return `${pointer ? `${pointer}: ` : ''}expected ${expected}, received ${received}`;
}

function sayRequirement({ requirement = [] }: Finding): string {
  return requirement.length > 0 ? ` [${requirement.join(', ')}]` : '';
}

function sayWhose({ kind, method, from }: Finding): string {
  if (kind === undefined) return '';
  const asks = kind === 'request' || kind === 'notification';
  const name = method === undefined ? kind : asks ? `${method} ${kind}` : `${kind} to ${method}`;
  return ` (${name}${from ? ` from the ${from}` : ''})`;
}
