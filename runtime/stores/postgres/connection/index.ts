export {
  addressOf,
  type Address,
  assertOwnSession,
  clientWith,
  type SessionSettings,
} from './session.js';
export { isBadValue, isConflict, PostgresError, storeError } from './errors.js';
