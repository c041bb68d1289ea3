import {
  DIALECT_VERSIONS,
  PROTOCOL_VERSIONS,
  REVISIONS,
  type RevisionVersion,
} from '../../runtime/protocol.js';
import type { Dialect } from '../../runtime/tasks/index.js';
import type { Revision } from '../../runtime/peer/wire/revision.js';

const known = new Map<string, Revision>();
const nothing = (): undefined => undefined;

/**
 * A revision that checks nothing: a mock sends what the server sent, valid or not, and the recording says which requests
 * the server took.
 */
export function uncheckedRevision(version: string): Revision {
  const found = known.get(version);
  if (found !== undefined) return found;
  const revision: Revision = {
    version,
    dialect: dialectOfVersion(version),
    requests: {},
    notifications: {},
    requesters: new Set(['client', 'server']),
    takes: () => true,
    check: nothing,
    checkResult: nothing,
    checkSent: nothing,
    checkToolResult: nothing,
    checkQuestion: nothing,
  };
  if (isSpoken(version)) known.set(version, revision);
  return revision;
}

export function isUnchecked(revision: Revision): boolean {
  return revision.check === nothing;
}

export function isSpoken(version: unknown): version is RevisionVersion {
  return typeof version === 'string' && Object.hasOwn(REVISIONS, version);
}

/** A server may have settled a revision that is not known. It opened a session for it. */
export function dialectOfVersion(version: string | undefined): Dialect {
  return isSpoken(version) ? REVISIONS[version].dialect : 'core';
}

/** The versions to serve: all, or those of the recording. */
export function servedVersions(recorded: readonly string[], isStrict: boolean): RevisionVersion[] {
  const known = PROTOCOL_VERSIONS.filter((each) => recorded.includes(each));
  return isStrict && known.length > 0 ? known : [...PROTOCOL_VERSIONS];
}

/** The same with those that a server of the runtime needs, in which it writes the answers of tools. */
export function withTheirDialects(versions: readonly RevisionVersion[]): RevisionVersion[] {
  const needed = versions.map((each) => DIALECT_VERSIONS[REVISIONS[each].dialect]);
  return [...versions, ...needed];
}
