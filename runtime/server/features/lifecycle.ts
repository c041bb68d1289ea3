import type { Implementation } from '../../../generated/2025-11-25/types.js';
import { METHODS, type RevisionVersion } from '../../protocol.js';
import type { ParamsIn, ResultIn, VersionOf } from '../../peer/wire/messages.js';
import type { Revision } from '../../peer/wire/revision.js';
import { assertShort, INVALID_REQUEST, rpcError } from '../errors.js';
import type { ServerCapabilities } from '../capabilities.js';
import type { BaseRows, Session } from '../session.js';

export interface LifecycleParts {
  readonly serverInfo: Implementation;
  readonly instructions: string | undefined;
  /** What is declared in a revision. */
  readonly capabilitiesIn: (revision: Revision) => ServerCapabilities;
}

export interface SessionParts extends LifecycleParts {
  /** Versions that sessions may speak, newest first. */
  readonly versions: readonly RevisionVersion[];
  readonly load: (version: RevisionVersion) => Promise<Revision>;
  /** Called when the handshake has settled the revision of a session. */
  readonly onBegun: (session: Session) => void;
}

type Initialize = typeof METHODS.initialize;

/** `initialize` and `ping` of sessions. */
export function sessionRows(parts: SessionParts): BaseRows<'core'> {
  const { versions, load, capabilitiesIn, onBegun } = parts;

  async function initialize(
    { protocolVersion, capabilities, clientInfo }: ParamsIn<VersionOf<'core'>, Initialize>,
    session: Session,
  ): Promise<ResultIn<VersionOf<'core'>, Initialize>> {
    assertShort('capabilities and clientInfo', [capabilities, clientInfo], LONGEST_FACTS);
    // A client that asks for what is not offered gets the newest that is, and decides.
    const version = versions.find((each) => each === protocolVersion) ?? versions[0];
    if (version === undefined) throw rpcError(INVALID_REQUEST, 'The server opens no sessions');
    const revision = await load(version);
    // Not before, because several handshakes may wait for it.
    if (session.revision !== undefined) {
      throw rpcError(INVALID_REQUEST, 'The session is initialized already');
    }
    session.revision = revision;
    session.clientCapabilities = capabilities;
    session.clientInfo = clientInfo;
    onBegun(session);
    return {
      protocolVersion: revision.version,
      capabilities: capabilitiesIn(revision),
      serverInfo: parts.serverInfo,
      ...instructionsOf(parts),
    };
  }

  return {
    [METHODS.ping]: { answer: () => ({}) },
    [METHODS.initialize]: {
      answer(params, { origin }) {
        if (origin.session === undefined) throw rpcError(INVALID_REQUEST, 'There is no session');
        return initialize(params, origin.session);
      },
    },
  };
}

/** Characters of what a client says of itself. Each session keeps it until it ends. */
const LONGEST_FACTS = 2 ** 16;

export interface DiscoverParts extends LifecycleParts {
  /** Versions of requests without sessions, newest first. */
  readonly versions: readonly RevisionVersion[];
}

/** `server/discover` of requests without sessions, whose results all name the server in their `_meta`. */
export function discoverRows(
  parts: DiscoverParts,
): Pick<BaseRows<'ext'>, typeof METHODS.serverDiscover> {
  const supportedVersions = [...parts.versions];
  return {
    [METHODS.serverDiscover]: {
      answer: (_params, { revision }) => ({
        supportedVersions,
        capabilities: parts.capabilitiesIn(revision),
        ...instructionsOf(parts),
      }),
    },
  };
}

function instructionsOf({ instructions }: LifecycleParts): { readonly instructions?: string } {
  return instructions === undefined ? {} : { instructions };
}
