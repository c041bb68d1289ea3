export { examine } from './examine.js';
export type { Examining } from './examine.js';
export { CALLS, Findings, NEWEST, SECTIONS, SEVERITIES } from './model.js';
export type { Calls, Examination, Finding, Section, Severity } from './model.js';
export { statusOf, summaryOf } from './say.js';
export { examinationAsMarkdown, examinationAsText } from './text.js';
export type { Watch } from './watch.js';
