export { DEFAULT_HOSTS, HOSTS } from './hosts/index.js';
export { lintTools, ruleNames, verdictsOf } from './lint.js';
export type { Finding, HostVerdict, LintOptions } from './lint.js';
export { hostMatchers } from './matcher.js';
export type { Check, CheckName, Effect, Evidence, Grade, Host, Of, Rule, Total } from './rule.js';
export { findingsAsSarif } from './sarif.js';
export type { ToolsFile } from './sarif.js';
export { findingsAsText, verdictsAsText } from './text.js';
