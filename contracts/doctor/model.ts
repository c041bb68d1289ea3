import { PROTOCOL_VERSIONS } from '../../runtime/protocol.js';
import type { HostVerdict } from '../lint/index.js';
import type { Change } from '../lock/index.js';

/** The revision that a server should be ready for. */
export const [NEWEST] = PROTOCOL_VERSIONS;

/** What is asked of a server, in the order of the report. */
export const SECTIONS = {
  protocol: 'speaks MCP',
  hosts: 'works in hosts',
  ready: `is ready for ${NEWEST}`,
  changed: 'has changed',
  safe: 'is safe to offer',
} as const;
export type Section = keyof typeof SECTIONS;

/**
 * - `error`: the server breaks a rule, a host refuses its tools, or a change of it matters.
 * - `unclear`: what came cannot be judged.
 * - `warning`: a recommendation is not followed, or something will break later.
 * - `note`: a fact that its owner should know.
 */
export const SEVERITIES = ['error', 'unclear', 'warning', 'note'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** One thing that was found, with what shows it. */
export interface Finding {
  readonly section: Section;
  readonly severity: Severity;
  /** Names the kind of finding: a code of `validate`, a rule of `lint`, or one of this room. */
  readonly code: string;
  /** One sentence or more. Texts of the server in it are a stranger's. */
  readonly message: string;
  /** Ids of `docs/requirements.md`. */
  readonly requirement?: readonly string[];
  /** Where the specification says it: a URL. */
  readonly place?: string;
  /** The revisions in which it was seen. */
  readonly revisions?: readonly string[];
  /** What shows it, each on one line: messages, shortened and without secrets; requests over HTTP; texts. */
  readonly evidence: readonly string[];
  /** How often it was seen. */
  readonly count: number;
}

/** What a caller reports: the rest has defaults. */
export type Found = Omit<Finding, 'evidence' | 'count'> & Partial<Finding>;

/** Which tools are called: `read-only` are those that say so of themselves. */
export const CALLS = ['none', 'read-only', 'all'] as const;
export type Calls = (typeof CALLS)[number];

/** What was found out about a server. */
export interface Examination {
  /** As the command line names it. */
  readonly server: string;
  /** As it presents itself: `everything 1.0.0`. */
  readonly name: string | undefined;
  /** All of ours, newest first. */
  readonly revisions: readonly { readonly revision: string; readonly accepted: boolean }[];
  /** How many entries each list has; absent where there is no session. */
  readonly lists: Readonly<Record<string, number>> | undefined;
  readonly messages: number;
  /** Calls of tools, apart from those with invalid arguments. */
  readonly calls: number;
  /** For `--seed`. */
  readonly seed: number;
  /** One clause a section; a section without one was not examined. */
  readonly summaries: Readonly<Partial<Record<Section, string>>>;
  readonly verdicts: readonly HostVerdict[];
  /** Since the lock, if there is one. */
  readonly changes: readonly Change[] | undefined;
  /** The worst first, each once. */
  readonly findings: readonly Finding[];
}

/** Collects findings. Equal ones count as one, with the evidence of the first three. */
export class Findings {
  readonly #found = new Map<string, Finding>();

  add({ evidence = [], count = 1, ...found }: Found): void {
    const { section, code, message, revisions = [] } = found;
    const key = JSON.stringify([section, code, message]);
    const before = this.#found.get(key);
    const seen = [...new Set([...(before?.revisions ?? []), ...revisions])];
    this.#found.set(key, {
      ...found,
      ...(seen.length > 0 && { revisions: seen }),
      evidence: [...new Set([...(before?.evidence ?? []), ...evidence])].slice(0, MOST_EVIDENCE),
      count: (before?.count ?? 0) + count,
    });
  }

  /** By section and severity. */
  get sorted(): readonly Finding[] {
    const rank = ({ section, severity }: Finding): number =>
      Object.keys(SECTIONS).indexOf(section) * SEVERITIES.length + SEVERITIES.indexOf(severity);
    return [...this.#found.values()].sort((one, other) => rank(one) - rank(other));
  }
}

const MOST_EVIDENCE = 3;
