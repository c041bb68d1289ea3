export { GUARD_FINDINGS, guardFindingAsText } from './finding.js';
export type { GuardCode, GuardFinding } from './finding.js';
export { createGuard } from './guard.js';
export type { Guard, GuardOptions } from './guard.js';
export { guarded } from './guarded.js';
export type { GuardedOptions } from './guarded.js';
