import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import * as z from 'zod';

import { bearer, createTaskServer, defineTool, serveHttp } from '../../runtime/server/index.js';
import { freePort } from '../../runtime/testing/free-port.js';

/** What a test changes in the behaviour of the authorization server. */
export interface Misbehaviour {
  /** Parameters of the authorization response that replace the right ones; null removes one. */
  response?: Record<string, string | null>;
  /** Members of the metadata document that replace the right ones. */
  metadata?: Record<string, unknown>;
  /** The errors of the next requests for a token by device code. */
  deviceErrors?: string[];
  /** Whether tokens come without their scopes. */
  withoutScope?: boolean;
  /** Members of the answers with tokens that replace the right ones. */
  answer?: Record<string, string>;
  /** What it says beside the code of an error. */
  said?: string;
  /** The error of each refresh. */
  refreshError?: string;
}

export interface AuthorizationServer {
  readonly issuer: string;
  readonly misbehaviour: Misbehaviour;
  /** Requests so far: path, parameters, and the `authorization` header. */
  readonly requests: { path: string; params: Record<string, string>; authorization?: string }[];
  /** Access tokens that are valid. */
  readonly tokens: Map<string, { client: string; scope: string; resource: string }>;
  /** Codes of devices that the user has approved. */
  readonly approved: Set<string>;
  /** Addresses of client metadata documents, which it would fetch. */
  readonly clientDocuments: Set<string>;
}

const SECRET = 'secret of the machine';
export const MACHINE = { id: 'machine', secret: SECRET } as const;

interface Code {
  readonly client: string;
  readonly challenge: string;
  readonly redirect: string;
  readonly resource: string;
  readonly scope: string;
}

/** An authorization server with HTTP, registration, PKCE, rotation of refresh tokens, devices and revocation. */
export async function startAuthorizationServer(resource: string): Promise<AuthorizationServer> {
  const clients = new Map<string, { redirects: string[]; secret?: string }>([
    [MACHINE.id, { redirects: [], secret: SECRET }],
    ['registered', { redirects: [] }],
  ]);
  const codes = new Map<string, Code>();
  const refreshTokens = new Map<string, Code>();
  const devices = new Map<string, Code & { userCode: string }>();
  const tokens: AuthorizationServer['tokens'] = new Map();
  const approved = new Set<string>();
  const clientDocuments = new Set<string>();
  const misbehaviour: Misbehaviour = {};
  const requests: AuthorizationServer['requests'] = [];
  const random = (): string => randomBytes(12).toString('base64url');

  function issue(grant: Code, refresh = true): object {
    const access = `access-${random()}`;
    tokens.set(access, grant);
    const next = `refresh-${random()}`;
    if (refresh) refreshTokens.set(next, grant);
    return {
      ...{ access_token: access, token_type: 'Bearer', expires_in: 600 },
      ...(misbehaviour.withoutScope !== true && { scope: grant.scope }),
      ...(refresh && { refresh_token: next }),
      ...misbehaviour.answer,
    };
  }

  /** A document at its address stands for a registration, with any address of this machine. */
  const clientOf = (id = ''): { redirects: string[]; secret?: string } | undefined =>
    clients.get(id) ?? (clientDocuments.has(id) ? { redirects: [] } : undefined);

  const refuse = (error: string): never => {
    throw new Refusal(error);
  };

  function grantOf(params: Record<string, string>, basic: string | undefined): object {
    const [id, secret] =
      basic === undefined
        ? [params['client_id'], params['client_secret']]
        : basic.split(':').map((part) => new URLSearchParams(`=${part}`).get('') ?? '');
    const client = clientOf(id) ?? refuse('invalid_client');
    if (client.secret !== undefined && client.secret !== secret) refuse('invalid_client');
    if (params['resource'] !== resource) refuse('invalid_target');
    switch (params['grant_type']) {
      case 'authorization_code': {
        const code = codes.get(params['code'] ?? '') ?? refuse('invalid_grant');
        codes.delete(params['code'] ?? '');
        const challenge = createHash('sha256')
          .update(params['code_verifier'] ?? '')
          .digest('base64url');
        if (challenge !== code.challenge || params['redirect_uri'] !== code.redirect)
          refuse('invalid_grant');
        if (code.client !== id) refuse('invalid_grant');
        return issue(code);
      }
      case 'refresh_token': {
        if (misbehaviour.refreshError !== undefined) refuse(misbehaviour.refreshError);
        const grant = refreshTokens.get(params['refresh_token'] ?? '') ?? refuse('invalid_grant');
        refreshTokens.delete(params['refresh_token'] ?? '');
        return issue(grant);
      }
      case 'urn:ietf:params:oauth:grant-type:device_code': {
        const error = misbehaviour.deviceErrors?.shift();
        if (error !== undefined) refuse(error);
        const device = devices.get(params['device_code'] ?? '') ?? refuse('invalid_grant');
        if (!approved.has(device.userCode)) refuse('authorization_pending');
        return issue(device);
      }
      case 'client_credentials':
        if (client.secret === undefined) refuse('unauthorized_client');
        return issue(
          { client: id ?? '', scope: params['scope'] ?? '', resource, challenge: '', redirect: '' },
          false,
        );
      default:
        return refuse('unsupported_grant_type');
    }
  }

  function authorize(params: Record<string, string>, response: ServerResponse): void {
    const { client_id: client = '', redirect_uri: redirect = '', state = '', scope = '' } = params;
    const known = clientOf(client);
    if (!known || (known.redirects.length > 0 && !known.redirects.includes(redirect)))
      refuse('invalid_client');
    if (params['code_challenge_method'] !== 'S256' || params['resource'] !== resource)
      refuse('invalid_request');
    const code = random();
    codes.set(code, {
      client,
      redirect,
      resource,
      scope,
      challenge: params['code_challenge'] ?? '',
    });
    const location = new URL(redirect);
    const right = { code, state, iss: issuer };
    for (const [name, value] of Object.entries({ ...right, ...misbehaviour.response })) {
      if (value !== null) location.searchParams.set(name, value);
    }
    response.writeHead(302, { location: location.href }).end();
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '', issuer);
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const isJson = request.headers['content-type']?.includes('json') ?? false;
    const params = isJson
      ? (JSON.parse(body) as Record<string, string>)
      : Object.fromEntries(body === '' ? searchParams : new URLSearchParams(body));
    const { authorization } = request.headers;
    requests.push({ path, params, ...(authorization !== undefined && { authorization }) });
    const send = (value: object, status = 200): void =>
      void response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify(value));
    switch (path) {
      case '/.well-known/oauth-authorization-server':
        return send({ ...metadata(), ...misbehaviour.metadata });
      case '/register': {
        const id = `client-${random()}`;
        const { redirect_uris: redirects = [] } = params as unknown as { redirect_uris?: string[] };
        clients.set(id, { redirects });
        return send({ ...params, client_id: id }, 201);
      }
      case '/authorize':
        return authorize(params, response);
      case '/token': {
        const basic = authorization?.replace('Basic ', '');
        return send(grantOf(params, basic && Buffer.from(basic, 'base64').toString()));
      }
      case '/device': {
        const [device, userCode] = [random(), `USER-${random()}`];
        const { client_id: client = '', scope = '' } = params;
        devices.set(device, { client, scope, resource, challenge: '', redirect: '', userCode });
        return send({
          device_code: device,
          user_code: userCode,
          verification_uri: `${issuer}/activate`,
          interval: 1,
          expires_in: 60,
        });
      }
      case '/revoke':
        refreshTokens.delete(params['token'] ?? '');
        return send({});
      default:
        response.writeHead(404).end();
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const code = error instanceof Refusal ? error.message : 'server_error';
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: code, error_description: misbehaviour.said ?? `no: ${code}` }),
      );
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });

  const metadata = (): object => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    device_authorization_endpoint: `${issuer}/device`,
    revocation_endpoint: `${issuer}/revoke`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
    authorization_response_iss_parameter_supported: true,
  });

  return { issuer, misbehaviour, requests, tokens, approved, clientDocuments };
}

class Refusal extends Error {}

/** An MCP server that takes the tokens of an authorization server of its own. */
export async function startProtected(): Promise<{ url: string; as: AuthorizationServer }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  const as = await startAuthorizationServer(url);
  const whoami = defineTool({
    name: 'whoami',
    description: 'Says which client calls.',
    input: z.object({}),
    run: () => 'one of us',
  });
  const later = defineTool({
    name: 'later',
    description: 'Says it later.',
    input: z.object({}),
    taskSupport: 'required',
    run: () => 'it is later',
  });
  const erase = defineTool({
    name: 'erase',
    description: 'Erases everything.',
    input: z.object({}),
    scopes: ['admin'],
    run: () => 'erased',
  });
  const tools = [whoami, later, erase];
  const server = await createTaskServer({ name: 'protected', version: '1.0.0', tools });
  const auth = bearer({
    resource: url,
    issuer: as.issuer,
    scopes: ['mcp'],
    rememberMs: 0,
    verify(token) {
      const found = as.tokens.get(token);
      return Promise.resolve(
        found && {
          subject: 'ann',
          clientId: found.client,
          issuer: as.issuer,
          scopes: found.scope.split(' '),
          audience: [found.resource],
          expiresAt: Date.now() / 1000 + 600,
        },
      );
    },
  });
  const http = await serveHttp(server, { auth, port });
  onTestFinished(async () => {
    await http.close();
    await server.close(0);
  });
  return { url, as };
}
