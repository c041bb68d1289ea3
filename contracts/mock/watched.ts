import type { Channel } from '../../runtime/peer/index.js';
import { DIALECT_VERSIONS, ERROR_CODES } from '../../runtime/protocol.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { isObject, member } from '../../runtime/peer/wire/json.js';
import { claimedIn } from '../../runtime/peer/wire/revision.js';
import type { Serving } from './behind.js';
import { isPromised } from './server.js';
import type { MockRequest } from './types.js';

type ServerPeer = NonNullable<ReturnType<Serving['requests']>>;

/** The same server, whose requests are noted when the first message goes back. */
export function watched(serving: Serving, note: (request: MockRequest) => void): Serving {
  const requests = serving.requests.bind(serving);
  const openSession = serving.openSession.bind(serving);
  serving.requests = (isPipe) => {
    const peer = requests(isPipe);
    return peer && watchedPeer(peer, note);
  };
  serving.openSession = (id, standalone) => {
    const session = openSession(id, standalone);
    watchedPeer(session.peer, note);
    return session;
  };
  return serving;
}

function watchedPeer(peer: ServerPeer, note: (request: MockRequest) => void): ServerPeer {
  const receive = peer.receive.bind(peer);
  peer.receive = (message, channel, origin) => {
    const { id, method, params } = isObject(message) ? message : {};
    if (typeof method !== 'string' || id === undefined || !isObject(message)) {
      return receive(message, channel, origin);
    }
    const claimed = origin.session?.revision?.version ?? claimedIn(message);
    const fallback = origin.session === undefined ? DIALECT_VERSIONS.ext : DIALECT_VERSIONS.core;
    const request = {
      method,
      params: isObject(params) ? params : {},
      revision: typeof claimed === 'string' ? claimed : fallback,
    };
    receive(
      message,
      notingFirst(channel, (sent) => note({ ...request, ...answererOf(sent, method) })),
      origin,
    );
  };
  return peer;
}

function answererOf(sent: JsonObject, method: string): Pick<MockRequest, 'answeredBy' | 'problem'> {
  const error = member(sent, 'error');
  if (member(error, 'code') === ERROR_CODES.MethodNotFound) {
    return { answeredBy: 'nothing', problem: String(member(error, 'message')) };
  }
  return { answeredBy: isPromised(method) ? 'lock' : 'mock' };
}

function notingFirst(channel: Channel, note: (sent: JsonObject) => void): Channel {
  let isNoted = false;
  return {
    send(message, text, refused) {
      if (!isNoted) note(message);
      isNoted = true;
      return channel.send(message, text, refused);
    },
    close: () => channel.close(),
    get gone() {
      return channel.gone;
    },
  };
}
