export { addressOf } from './address.js';
export type { Address } from './address.js';
export { assertOwnSession, clientWith } from './session.js';
export type { SessionSettings } from './session.js';
export { isBadValue, isConflict, PostgresError, storeError } from './errors.js';
