export type Severity = 'error' | 'unclear' | 'warning';

/** A rule of `validate`. */
export interface Rule {
  /** The usual severity. A rule that only newer revisions state is a warning in older ones. */
  readonly severity: Severity;
  /** The ids of what it shows in `docs/requirements.md`. None for rules about the input itself. */
  readonly requirements: readonly string[];
  /** The rule in one sentence. */
  readonly rule: string;
  /** The scope of the rule. Default: all messages. */
  readonly scope?: string;
}
