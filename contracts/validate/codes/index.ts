import { FEATURES } from './features.js';
import { INPUT } from './input.js';
import { MESSAGES } from './messages.js';
import type { Rule } from './rule.js';
import { WITHOUT_SESSIONS } from './stateless.js';
import { OF_TASKS } from './tasks.js';

export type { Severity } from './rule.js';

/**
 * The findings by code. A code never changes its meaning. `error`: a message breaks a MUST. `warning`: a
 * message breaks a SHOULD, or the evidence may precede the recording. `unclear`: the command needs an
 * option to decide. `docs/validating.md` lists them all.
 */
export const FINDINGS = { ...INPUT, ...MESSAGES, ...FEATURES, ...WITHOUT_SESSIONS, ...OF_TASKS };

export type FindingCode = keyof typeof FINDINGS;

export const RULES: Readonly<Record<FindingCode, Rule>> = FINDINGS;
