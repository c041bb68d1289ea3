import type { RevisionVersion } from '../protocol.js';
import type { RevisionModules } from '../peer/wire/revision.js';
import { CORE } from './dialects/core.js';
import type { ServedRevision } from './platform.js';

/** A revision with sessions. */
export function coreRevision(version: RevisionVersion, modules: RevisionModules): ServedRevision {
  return { version, modules, dialect: CORE };
}
