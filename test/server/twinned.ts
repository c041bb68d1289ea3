import { onTestFinished } from 'vitest';

import type { HttpHandler, HttpOptions, TaskServer } from '../../runtime/server/index.js';
import type { Answered, Side } from '../support/twin/exchange.js';
import { served } from '../support/twin/served.js';
import { createTwin, describeDifference } from '../support/twin/twin.js';

/** Asks over HTTP. The signal is the request's as well, but that one does not survive a garbage collection. */
export type Fetch = (request: Request, signal?: AbortSignal) => Promise<Response>;

/** The face of two servers that get the same requests over HTTP: the first with its door, the second without. */
export async function twinned(
  servers: readonly [TaskServer, TaskServer],
  options: HttpOptions,
): Promise<HttpHandler & { readonly fetch: Fetch }> {
  const [open, shut] = await Promise.all([
    served(servers[0], options, true),
    served(servers[1], { ...options, onRefused: () => undefined }, false),
  ]);
  const twin = createTwin({ leading: open.side, following: shut.side });
  onTestFinished(async () => {
    await Promise.all([open.stop(), shut.stop()]);
    const [first] = twin.differences;
    if (first !== undefined) throw new Error(describeDifference(first));
  });
  return {
    notify: {
      promptsChanged: () => [open, shut].forEach(({ notify }) => notify.promptsChanged()),
      resourcesChanged: () => [open, shut].forEach(({ notify }) => notify.resourcesChanged()),
      resourceUpdated: (uri) => [open, shut].forEach(({ notify }) => notify.resourceUpdated(uri)),
    },
    fetch: fetchFrom(twin.answer),
    close: () => Promise.all([open.close(), shut.close()]).then(() => undefined),
  };
}

export function fetchFrom(side: Side): Fetch {
  return async (request, signal = request.signal) => {
    const { pathname, search } = new URL(request.url);
    const body = Buffer.from(await request.arrayBuffer());
    const headers = [...impliedBy(request, body), ...[...request.headers].flat()];
    const asked = { method: request.method, target: pathname + search, headers, body };
    return responseOf(await side(asked, signal));
  };
}

/** What a client of HTTP sends beside the headers of a request in memory. */
function impliedBy({ headers, url }: Request, { byteLength }: Buffer): string[] {
  const host = headers.has('host') ? [] : ['host', new URL(url).host];
  return byteLength === 0 ? host : [...host, 'content-length', String(byteLength)];
}

function responseOf({ status, headers, body }: Answered): Response {
  const pairs = headers.flatMap((name, at) =>
    at % 2 === 0 ? [[name, headers[at + 1] ?? ''] as [string, string]] : [],
  );
  const bodiless = status === 204 || status === 304;
  return new Response(bodiless ? null : ReadableStream.from(body), { status, headers: pairs });
}
