import { METHODS } from '../../protocol.js';
import type { ParamsIn, ResultIn, VersionOf } from '../../peer/wire/messages.js';
import { assertShort, INVALID_REQUEST, rpcError } from '../errors.js';
import type { Endpoint } from '../endpoint.js';
import type { BaseRows, Session } from '../session.js';

type Initialize = typeof METHODS.initialize;

/** `initialize` and `ping` of sessions. */
export function sessionRows(endpoint: Endpoint): BaseRows<'core'> {
  const { versions, revisions, capabilitiesIn, changes } = endpoint;

  async function initialize(
    { protocolVersion, capabilities, clientInfo }: ParamsIn<VersionOf<'core'>, Initialize>,
    session: Session,
  ): Promise<ResultIn<VersionOf<'core'>, Initialize>> {
    assertShort('capabilities and clientInfo', [capabilities, clientInfo], LONGEST_FACTS);
    // A client that asks for what is not offered gets the newest that is, and decides.
    const version = versions.find((each) => each === protocolVersion) ?? versions[0];
    if (version === undefined) throw rpcError(INVALID_REQUEST, 'The server opens no sessions');
    const revision = await revisions.load(version);
    // Not before, because several handshakes may wait for it.
    if (session.revision !== undefined) {
      throw rpcError(INVALID_REQUEST, 'The session is initialized already');
    }
    session.revision = revision;
    session.clientCapabilities = capabilities;
    session.clientInfo = clientInfo;
    changes.follow(session);
    return {
      protocolVersion: revision.version,
      capabilities: capabilitiesIn(revision),
      serverInfo: endpoint.serverInfo,
      ...instructionsOf(endpoint),
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

/** `server/discover` of requests without sessions, whose results all name the server in their `_meta`. */
export function discoverRows(
  endpoint: Endpoint,
): Pick<BaseRows<'ext'>, typeof METHODS.serverDiscover> {
  const supportedVersions = [...endpoint.versions];
  return {
    [METHODS.serverDiscover]: {
      answer: (_params, { revision }) => ({
        supportedVersions,
        capabilities: endpoint.capabilitiesIn(revision),
        ...instructionsOf(endpoint),
      }),
    },
  };
}

function instructionsOf({ instructions }: Endpoint): { readonly instructions?: string } {
  return instructions === undefined ? {} : { instructions };
}
