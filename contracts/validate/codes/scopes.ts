import { DIALECT_REVISIONS, revisionsWhere } from '../../../generator/ir/revisions/index.js';

/** The scopes of rules, and the revisions that their texts name. */

export const { core: CORE_REVISION, ext: EXT_REVISION } = DIALECT_REVISIONS;
export const CORE = `${CORE_REVISION} tasks`;
export const EXT = `${EXT_REVISION} tasks`;
export const TASKS = 'tasks';
/** Revisions in which a session begins with `initialize`. */
export const SESSIONS = 'sessions';
/** The first revision without sessions. */
export const STATELESS = revisionsWhere(({ dialect }) => dialect === 'ext')[0] ?? EXT_REVISION;
/** The first revision whose capabilities are mandatory. It also brought schemas of results, and rules for keys of `_meta`. */
export const STRICT_SINCE =
  revisionsWhere(({ strictCapabilities }) => strictCapabilities === true)[0] ?? STATELESS;
export const BATCHES = revisionsWhere(({ batches }) => batches === true).join(', ');
