export { addressOf } from './address.js';
export type { Address } from './address.js';
export { isBadValue, isConflict, PostgresError, storeError } from './errors.js';
