import type { Change } from '../../lock/index.js';
import { findingAsText } from '../../validate/index.js';
import type { Finding, FindingCode, Severity } from '../../validate/index.js';

/** What `guard` finds beside the rules of the protocol. A code never changes its meaning. */
export const GUARD_FINDINGS = {
  'not-in-lock': {
    severity: 'error',
    rule: 'A tool or prompt that is listed or called is in the lock.',
  },
  'differs-from-lock': {
    severity: 'error',
    rule: 'A tool, a prompt and the instructions are those of the lock, apart from compatible changes.',
  },
  'compatible-change': {
    severity: 'warning',
    rule: 'A tool and a prompt have no compatible change either.',
  },
  'bad-arguments': {
    severity: 'error',
    rule: "The arguments of a call match the lock's `inputSchema`.",
  },
  'bad-result': {
    severity: 'error',
    rule: "The `structuredContent` of a result is there, and matches the lock's `outputSchema`.",
  },
  'unchecked-schema': {
    severity: 'warning',
    rule: 'A schema of the lock can be read. Otherwise `--enforce` refuses the calls of its tool.',
  },
  unchecked: {
    severity: 'warning',
    rule: 'The revision of a message is known, and the tool of a result. Otherwise `--enforce` refuses the message.',
  },
  'other-revision': {
    severity: 'warning',
    rule: 'The session speaks the revision of the lock, which holds in another one as well.',
  },
  'wrong-headers': {
    severity: 'error',
    rule: 'The headers of a request over HTTP agree with its body, and with the revision of its session.',
  },
  ambiguous: {
    severity: 'error',
    rule: 'A message is the same for every reader: no object has a name twice, or a name of the protocol in another case, and no number is too large for a double.',
  },
  'too-large': {
    severity: 'error',
    rule: 'A message has at most 32 MiB, 500 levels, 838,861 members of objects and 4,194,304 values.',
  },
  'too-deep': { severity: 'error', rule: 'A message does not nest too deeply to be checked.' },
  'not-json': { severity: 'error', rule: 'Each line, event and body is JSON.' },
} as const satisfies Record<string, { readonly severity: Severity; readonly rule: string }>;

export type GuardCode = keyof typeof GUARD_FINDINGS;

/** `file` names the session, and `line` is the number of the message in it. */
export interface GuardFinding extends Omit<Finding, 'code'> {
  readonly code: FindingCode | GuardCode;
  readonly change?: LockChange;
}

/** How a definition changed. The witness of a breaking change is a value that only one of its schemas accepts. */
export type LockChange = Pick<Change, 'verdict' | 'rule' | 'witness'>;

/** A breach of the lock: its code, what is wrong, and where in the message. */
export interface LockBreach {
  readonly code: GuardCode;
  readonly message: string;
  readonly pointer?: string;
  readonly change?: LockChange;
}

export function guardFindingAsText(
  finding: GuardFinding,
  paint: Parameters<typeof findingAsText>[1],
): string {
  // The text has no code in it.
  return findingAsText(finding as Finding, paint);
}

/** What cannot be judged passes without `--enforce` only, because the other side could choose that. */
const REFUSED_WARNINGS: ReadonlySet<string> = new Set<FindingCode | GuardCode>([
  'unasked',
  'unchecked',
  'unchecked-schema',
]);

/**
 * Whether a message with this finding is refused. A server that refuses a version and lists it is believed: an error in place
 * of its error would take from the client the versions with which it may try again.
 */
export function isRefused({
  severity,
  code,
  pointer,
}: Pick<GuardFinding, 'severity' | 'code' | 'pointer'>): boolean {
  if (code === 'wrong-versions' && pointer?.startsWith('/error/') === true) return false;
  return severity !== 'warning' || REFUSED_WARNINGS.has(code);
}
