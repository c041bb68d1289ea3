import {
  DIALECT_VERSIONS,
  META_KEYS,
  METHODS,
  PROTOCOL_VERSIONS,
  REVISIONS,
} from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { capabilitiesIn, resultIn } from './dialects.js';
import type { Facts } from './facts.js';
import type { Handshake, Model } from './model.js';
import { dialectOfVersion, isSpoken } from './revisions.js';

/** The recorded handshake with a client that asks for a revision. */
export function handshakeFor(
  model: Model | undefined,
  requested: unknown,
  isStrict: boolean,
): Handshake | undefined {
  const all = model?.handshakes ?? [];
  const found =
    all.find((each) => each.requested === requested && each.settled === requested) ??
    all.find((each) => each.settled === requested) ??
    all.find((each) => each.requested === requested);
  // What is not translated is offered as it was recorded, and the client decides.
  const translates = !isStrict && isSpoken(requested) && dialectOfVersion(requested) === 'core';
  return found ?? (translates ? undefined : all[0]);
}

/** The revision in which a session goes on without a recorded handshake: the one asked for, if it has sessions. */
export function offeredTo(requested: unknown, { revision }: Facts): string {
  if (isSpoken(requested) && dialectOfVersion(requested) === 'core') return requested;
  return revision !== undefined && dialectOfVersion(revision) === 'core'
    ? revision
    : DIALECT_VERSIONS.core;
}

/** The answer to a handshake in a revision that was not recorded. */
export function greeting(version: string, facts: Facts): JsonObject {
  const { capabilities, serverInfo, instructions } = facts;
  const { tasks, ...others } = capabilitiesIn('core', capabilities);
  const hasTasks = isSpoken(version) && REVISIONS[version].tasks && tasks !== undefined;
  return {
    protocolVersion: version,
    capabilities: { ...others, ...(hasTasks && { tasks }) },
    serverInfo,
    ...(instructions !== undefined && { instructions }),
  };
}

/** The answer to `server/discover` where it was not recorded. */
export function discovery(facts: Facts): JsonObject {
  const { capabilities, serverInfo, instructions } = facts;
  const result = {
    supportedVersions: PROTOCOL_VERSIONS.filter((each) => dialectOfVersion(each) === 'ext'),
    capabilities: capabilitiesIn('ext', capabilities),
    ...(instructions !== undefined && { instructions }),
    _meta: { [META_KEYS.serverInfo]: serverInfo },
  };
  return resultIn('ext', METHODS.serverDiscover, result);
}
