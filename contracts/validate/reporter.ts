import { jsonPointer } from '../../json-schema/pointer.js';
import type { Path } from './access.js';
import type { Party } from './direction.js';
import type { RecordedWith } from './exchange.js';
import { cut, RULES } from './finding.js';
import type { Finding, FindingCode, Kind, Severity } from './finding.js';
import type { Fault } from './protocol.js';

/** The facts about a message so far. */
export interface Case {
  readonly line: number;
  readonly path: Path;
  readonly from?: Party | undefined;
  readonly kind?: Kind;
  readonly method?: string | undefined;
  readonly record?: RecordedWith | undefined;
  /** Whether it came in an array with others. */
  readonly isBatched?: boolean;
  /** The number of messages before the request that it answers. */
  readonly answers?: number | undefined;
}

/** Reports findings where they are found, and keeps those about the current message. */
export class Reporter {
  readonly #file: string;
  readonly #report: (finding: Finding) => void;
  /** Findings that are reported once for the whole input. */
  readonly #said = new Set<string>();
  readonly #current: Finding[] = [];

  constructor(file: string, report: (finding: Finding) => void) {
    this.#file = file;
    this.#report = report;
  }

  /** Returns the findings about the current message, and starts the next. */
  take(): Finding[] {
    return this.#current.splice(0);
  }

  add(
    code: FindingCode,
    message: string,
    { line, path, kind, method, from }: Case,
    key: Path = [],
    more: Partial<Finding> = {},
    severity: Severity = RULES[code].severity,
  ): void {
    const { requirements } = RULES[code];
    const finding: Finding = {
      file: this.#file,
      line,
      severity,
      code,
      ...(requirements.length > 0 && { requirement: requirements }),
      message,
      pointer: jsonPointer([...path, ...key]),
      ...(kind && { kind }),
      ...(method !== undefined && { method: cut(method) }),
      ...(from && { from }),
      ...more,
    };
    this.#current.push(finding);
    this.#report(finding);
  }

  /** Adds a fault of a message's definition. */
  fault({ pointer, expected, received, message }: Fault, at: Case): void {
    const base = jsonPointer(at.path);
    this.add('bad-message', pointer === '' ? message : base + message, at, undefined, {
      pointer: base + pointer,
      expected,
      received,
    });
  }

  /** Asks for the sender, once for all messages of the same kind and method. */
  noSender(reason: string, at: Case): void {
    const message = `${reason}: give --from, or tag each message with its sender.`;
    this.once('no-sender', message, at);
  }

  /** Reports a finding once for all messages of the same kind and method. */
  once(code: FindingCode, message: string, at: Case): void {
    const key = `${code} ${at.kind ?? ''} ${at.method ?? ''}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.add(code, message, at);
  }
}
