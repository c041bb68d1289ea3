/** The document that says where clients get a token for this server (RFC 9728), and its URL. */
export interface ResourceMetadata {
  readonly url: string;
  /** The path of the URL. */
  readonly path: string;
  /** The answer to a request for the document. Pages of every origin may read it. */
  respond(request: Request): Response;
}

export interface ResourceOptions {
  readonly resource: URL;
  readonly issuer: string;
  readonly scopes: readonly string[];
}

const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const METHODS = 'GET, HEAD, OPTIONS';
const PUBLIC = { 'Access-Control-Allow-Origin': '*' };

export function createResourceMetadata(options: ResourceOptions): ResourceMetadata {
  const { resource, issuer, scopes } = options;
  const document = {
    resource: resource.href,
    authorization_servers: [issuer],
    scopes_supported: scopes,
  };
  const url = metadataUrlOf(resource);
  return {
    url: url.href,
    path: url.pathname,
    respond(request) {
      const { method } = request;
      if (method === 'OPTIONS') return preflight(request);
      if (method !== 'GET' && method !== 'HEAD') return wrongMethod(method);
      const answer = Response.json(document, { headers: PUBLIC });
      return method === 'GET' ? answer : new Response(null, { headers: answer.headers });
    },
  };
}

/** The well-known path comes before that of the resource. */
function metadataUrlOf(resource: URL): URL {
  const url = new URL(resource);
  url.pathname = WELL_KNOWN + resource.pathname.replace(/\/$/, '');
  url.hash = '';
  return url;
}

function preflight(request: Request): Response {
  const asked = request.headers.get('access-control-request-headers');
  const headers = {
    ...PUBLIC,
    'Access-Control-Allow-Methods': METHODS,
    ...(asked !== null && {
      'Access-Control-Allow-Headers': asked,
      Vary: 'Access-Control-Request-Headers',
    }),
  };
  return new Response(null, { status: 204, headers });
}

function wrongMethod(method: string): Response {
  const body = {
    error: 'method_not_allowed',
    error_description: `The method ${method} is not allowed for this endpoint`,
  };
  return Response.json(body, { status: 405, headers: { ...PUBLIC, Allow: METHODS } });
}
