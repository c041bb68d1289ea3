import {
  type AuthInfo,
  type JSONRPCMessage,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

import type { Backlog } from './backlog.js';
import type { ConnectedServer } from './connected-server.js';
import { isEventStream } from './event-stream.js';
import { inJson, streams } from './json-answer.js';
import { paced } from './paced.js';

export interface SessionTransportOptions {
  readonly sessionId: string;
  readonly keepAliveMs: number;
  readonly backlog: Backlog;
  /** Called when a stream ends because its reader is too slow. */
  readonly onTooSlow: () => void;
}

/** Streamable HTTP of one session, of the revisions up to 2025-11-25. */
export interface SessionTransport {
  open(): Promise<void>;
  /** Answers a request. `onEnd` is called once, when the answer was read or its reader has disconnected. */
  handle(
    request: Request,
    body: unknown,
    authInfo: AuthInfo | undefined,
    onEnd: () => void,
  ): Promise<Response>;
}

const COMMENT = new TextEncoder().encode(':\n\n');

export function createSessionTransport(
  mcp: ConnectedServer,
  { sessionId, keepAliveMs, backlog, onTooSlow }: SessionTransportOptions,
): SessionTransport {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: () => sessionId,
    keepAliveMs,
  });
  const listening = skipUnheard(transport);

  /** A client that reads too slowly loses the stream, and can look its task up. */
  async function stream(
    response: Response,
    request: Request,
    body: unknown,
    onEnd: () => void,
  ): Promise<Response> {
    // Node sends the head with the first bytes, and a client of a GET waits for the head.
    const opened =
      request.method === 'GET'
        ? { response, opening: COMMENT }
        : streams(body)
          ? { response }
          : await inJson(response, request.signal);
    if (!isEventStream(opened.response)) {
      onEnd();
      return opened.response;
    }
    const source = response.body as ReadableStream<Uint8Array>;
    const { opening } = opened;
    const options = {
      request,
      backlog,
      waits: false,
      onTooSlow,
      onEnd,
      ...(opening && { opening }),
    };
    return new Response(paced(source, options), response);
  }

  return {
    open: () => mcp.connect(transport),
    async handle(request, body, authInfo, onEnded) {
      const stopListening = request.method === 'GET' ? listening() : undefined;
      const onEnd = (): void => {
        stopListening?.();
        onEnded();
      };
      const response = await transport.handleRequest(request, {
        ...(body !== undefined && { parsedBody: body }),
        ...(authInfo && { authInfo }),
      });
      // A handshake that was refused leaves nothing behind.
      if (transport.sessionId === undefined) await mcp.close();
      if (isEventStream(response)) return stream(response, request, body, onEnd);
      onEnd();
      return response;
    },
  };
}

/**
 * Drops the notifications that belong to no request while no stream carries them. The SDK drops them too, after its
 * schemas have judged each. Call the function that is returned before a stream is opened, and its result at the end.
 */
function skipUnheard(transport: WebStandardStreamableHTTPServerTransport): () => () => void {
  let streamsOpen = 0;
  const send = transport.send.bind(transport);
  transport.send = (message: JSONRPCMessage, options) => {
    const isUnheard =
      streamsOpen === 0 &&
      options?.relatedRequestId === undefined &&
      'method' in message &&
      !('id' in message);
    return isUnheard ? Promise.resolve() : send(message, options);
  };
  return () => {
    streamsOpen += 1;
    return () => (streamsOpen -= 1);
  };
}
