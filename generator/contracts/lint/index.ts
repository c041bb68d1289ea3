export { DEFAULT_HOSTS, HOSTS } from './hosts/index.js';
export { lintTools, ruleNames } from './lint.js';
export type { Finding, LintOptions } from './lint.js';
export { hostMatchers } from './matcher.js';
export type { Check, CheckName, Effect, Host, Of, Rule } from './rule.js';
export { findingsAsSarif } from './sarif.js';
export { findingsAsText } from './text.js';
