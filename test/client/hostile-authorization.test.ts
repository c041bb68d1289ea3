import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createLogins, LoginError, type Logins } from '../../runtime/client/node/index.js';

/** One answer of the server. A function writes it by itself. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown> | string | ((response: ServerResponse) => void);
}

type Name = 'resource' | 'metadata' | 'registration' | 'device' | 'token';
type Answers = Record<Name, Answer>;

interface Hostile {
  readonly url: string;
  readonly origin: string;
  /** The paths that were requested, and what was sent there. */
  readonly requests: { path: string; sent: string }[];
}

/** A server and its authorization server, right but for what `spoil` changes. All its secrets begin with SECRET. */
async function start(spoil: (answers: Answers, origin: string) => void): Promise<Hostile> {
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const url = `${origin}/mcp`;
  const of = (body: Record<string, unknown>, status = 200): Answer => ({
    status,
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answers: Answers = {
    resource: of({ resource: url, authorization_servers: [origin], scopes_supported: ['mcp'] }),
    metadata: of({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      registration_endpoint: `${origin}/registration`,
      device_authorization_endpoint: `${origin}/device`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      scopes_supported: ['mcp'],
    }),
    registration: of({ client_id: 'client', client_secret: 'SECRET-client' }, 201),
    device: of({
      device_code: 'SECRET-device',
      user_code: 'ABCD',
      verification_uri: `${origin}/activate`,
      interval: 1,
      expires_in: 60,
    }),
    token: of({
      access_token: 'SECRET-access',
      token_type: 'Bearer',
      refresh_token: 'SECRET-refresh',
      scope: 'mcp',
    }),
  };
  spoil(answers, origin);
  const requests: Hostile['requests'] = [];
  const names: Record<string, Name> = {
    '/.well-known/oauth-protected-resource/mcp': 'resource',
    '/.well-known/oauth-authorization-server': 'metadata',
    '/registration': 'registration',
    '/device': 'device',
    '/token': 'token',
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams } = new URL(request.url ?? '', origin);
    let sent = '';
    for await (const chunk of request) sent += String(chunk);
    requests.push({ path, sent });
    if (path === '/authorize') {
      const target = new URL(searchParams.get('redirect_uri') ?? '');
      target.searchParams.set('state', searchParams.get('state') ?? '');
      target.searchParams.set('code', 'SECRET-code');
      response.writeHead(302, { location: target.href }).end();
      return;
    }
    const name = names[path];
    if (name === undefined) {
      response.writeHead(path === '/mcp' ? 401 : 404).end();
      return;
    }
    const { status, headers, body } = answers[name];
    if (typeof body === 'function') return body(response);
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  return { url, origin, requests };
}

function opened(): { logins: Logins; saved: () => string } {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-logins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const texts = (): string[] =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return {
    logins: createLogins({ folder, clientName: 'test' }),
    saved: () => texts().join('\n'),
  };
}

const browse = (address: URL): void => void fetch(address).catch(() => undefined);

/** Logs in, and resolves with the message of the failure. It contains no secret, and is short. */
async function refusal(
  spoil: (answers: Answers, origin: string) => void,
  grant: 'browser' | 'device' = 'browser',
): Promise<{ message: string; requests: Hostile['requests']; origin: string }> {
  const { url, requests, origin } = await start(spoil);
  const { logins, saved } = opened();
  const login =
    grant === 'browser' ? logins.browser(url, browse) : logins.device(url, () => undefined);
  const error: unknown = await login.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LoginError);
  const { message } = error as LoginError;
  const shown = inspect(error, { depth: Infinity, showHidden: true });
  expect(shown).not.toContain('SECRET');
  expect(message.length).toBeLessThan(1_100);
  expect(saved()).toBe('');
  return { message, requests, origin };
}

function object({ body }: Answer): Record<string, unknown> {
  return body as Record<string, unknown>;
}

it('logs in where nothing is wrong, in the browser and by device', async () => {
  const { url } = await start(() => undefined);
  for (const grant of ['browser', 'device'] as const) {
    const { logins, saved } = opened();
    await (grant === 'browser' ? logins.browser(url, browse) : logins.device(url, () => undefined));
    expect(saved()).toContain('SECRET-access');
  }
});

describe('a member of another type', () => {
  const MEMBERS: readonly (readonly [Name, readonly string[]])[] = [
    ['resource', ['resource', 'authorization_servers', 'scopes_supported']],
    [
      'metadata',
      [
        'issuer',
        'authorization_endpoint',
        'token_endpoint',
        'registration_endpoint',
        'response_types_supported',
        'code_challenge_methods_supported',
        'token_endpoint_auth_methods_supported',
        'scopes_supported',
      ],
    ],
    ['registration', ['client_id', 'client_secret', 'token_endpoint_auth_method']],
    ['token', ['access_token', 'token_type', 'refresh_token', 'scope', 'id_token']],
  ];
  const WRONG = [null, 1, true, {}, [1], [['SECRET']]];
  const cases = MEMBERS.flatMap(([name, members]) => members.map((member) => [name, member]));

  it.each(cases as [Name, string][])('is refused by its name: %s, %s', async (name, member) => {
    for (const value of WRONG) {
      const { message } = await refusal((answers) => (object(answers[name])[member] = value));
      expect(message).toContain(`\`${member}\``);
    }
  });

  it.each(['device_code', 'user_code', 'verification_uri'])('is refused: %s', async (member) => {
    for (const value of WRONG) {
      await refusal((answers) => (object(answers.device)[member] = value), 'device');
    }
  });
});

describe('a member that is missing', () => {
  it.each<[Name, string]>([
    ['resource', 'resource'],
    ['metadata', 'issuer'],
    ['metadata', 'authorization_endpoint'],
    ['metadata', 'token_endpoint'],
    ['metadata', 'registration_endpoint'],
    ['metadata', 'code_challenge_methods_supported'],
    ['registration', 'client_id'],
    ['token', 'access_token'],
    ['token', 'token_type'],
  ])('is an error: %s, %s', async (name, member) => {
    await refusal((answers) => delete object(answers[name])[member]);
  });
});

/** Addresses at which others could read what is sent, or that are none. */
const PUBLIC = ['http://login.example/x', 'javascript:alert(1)', 'x', '', 'file:///etc/passwd'];

it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
  'sends nothing to the %s of another scheme',
  async (member) => {
    for (const address of PUBLIC) {
      const { requests } = await refusal(({ metadata }) => (object(metadata)[member] = address));
      expect(requests.map(({ path }) => path)).not.toContain('/token');
    }
  },
);

describe('an issuer', () => {
  it.each(PUBLIC)('that is not private is not asked: %s', async (issuer) => {
    const { message, requests } = await refusal(
      ({ resource }) => (object(resource)['authorization_servers'] = [issuer]),
    );
    expect(message).toContain('is not an https address');
    expect(requests.map(({ path }) => path)).toEqual([
      '/mcp',
      '/.well-known/oauth-protected-resource/mcp',
    ]);
  });

  it('that the metadata does not have is refused', async () => {
    const other = await start(() => undefined);
    const { message } = await refusal(({ metadata }) => {
      object(metadata)['issuer'] = other.origin;
    });
    expect(message).toContain(`names the issuer ${other.origin}`);
    expect(other.requests).toEqual([]);
  });

  it('that differs by a slash alone is an error that says what to change', async () => {
    const { message, origin } = await refusal(({ metadata }, origin) => {
      object(metadata)['issuer'] = `${origin}/`;
    });
    expect(message).toContain(`names the issuer ${origin}/, which differs by the slash at its end`);
  });
});

describe('a redirect', () => {
  it.each(['registration', 'token'] as const)(
    'of what is posted is not followed: %s',
    async (name) => {
      const other = await start(() => undefined);
      const { message } = await refusal((answers) => {
        answers[name] = { status: 307, headers: { location: `${other.origin}/${name}` }, body: '' };
      });
      expect(message).toContain('HTTP 307');
      expect(other.requests).toEqual([]);
    },
  );

  it('of a document leads to https and to this machine only', async () => {
    const location = 'http://login.example/metadata';
    const { message } = await refusal((answers) => {
      answers.metadata = { status: 302, headers: { location }, body: '' };
    });
    expect(message).toContain(`is ${location}, which is not an https address`);
  });

  it('of a document in a circle ends', async () => {
    const { requests } = await refusal((answers, origin) => {
      const location = `${origin}/.well-known/oauth-authorization-server`;
      answers.metadata = { status: 302, headers: { location }, body: '' };
    });
    expect(requests.length).toBeLessThan(20);
  });

  it('to a document of another issuer does not take its endpoints', async () => {
    const other = await start(() => undefined);
    const location = `${other.origin}/.well-known/oauth-authorization-server`;
    const { message } = await refusal((answers) => {
      answers.metadata = { status: 302, headers: { location }, body: '' };
    });
    expect(message).toContain(`names the issuer ${other.origin}`);
  });
});

describe('a body', () => {
  const endless = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = (): void => {
      while (!response.destroyed && response.write('[['.repeat(10_000)));
      if (!response.destroyed) response.once('drain', write);
    };
    write();
  };

  it.each<Name>(['resource', 'metadata', 'registration', 'token'])(
    'without an end is not read to its end: %s',
    async (name) => {
      const { message } = await refusal((answers) => (answers[name].body = endless));
      expect(message).toContain('more than 1048576 bytes');
    },
  );

  it.each<[Name, string]>([
    ['registration', '<html>SECRET</html>'],
    ['token', '[]'],
    ['token', 'null'],
    ['token', '"SECRET-access"'],
    ['token', `{"access_token":"SECRET-access"`],
    ['token', '['.repeat(500_000)],
    ['metadata', '{"issuer":'],
  ])('that is no JSON object is an error: %s, %.20s', async (name, body) => {
    await refusal((answers) => (answers[name].body = body));
  });
});

describe('an error of OAuth', () => {
  const error = { error: 'invalid_grant', error_description: 'SECRET-code is not SECRET-client' };

  it.each([200, 400, 401, 403, 500, 503])('is read at HTTP %i', async (status) => {
    const { message } = await refusal((answers) => {
      answers.token = { ...answers.token, status, body: error };
    });
    expect(message).toBe('The authorization server refused: … is not … (invalid_grant)');
  });

  it('is read beside a challenge', async () => {
    const { message } = await refusal((answers) => {
      const headers = { 'www-authenticate': 'Basic realm="x"' };
      answers.token = { status: 401, headers, body: error };
    });
    expect(message).toContain('(invalid_grant)');
  });

  it('of any length has a short message', async () => {
    const long = { error: 'x'.repeat(400_000), error_description: 'y'.repeat(400_000) };
    await refusal((answers) => (answers.token = { ...answers.token, status: 400, body: long }));
  });

  it.each([404, 500])('that is none names its status: %i', async (status) => {
    const { message } = await refusal((answers) => {
      answers.token = { status, headers: {}, body: 'SECRET' };
    });
    expect(message).toBe(`The authorization server answered with HTTP ${String(status)}`);
  });
});

it('sends a token to no server that another one names as itself', async () => {
  const other = await start(() => undefined);
  const { message, requests } = await refusal(({ resource }) => {
    object(resource)['resource'] = other.url;
  });
  expect(message).toContain(`is for ${other.url}, not for`);
  expect(requests.map(({ path }) => path)).not.toContain('/token');
});

it('refuses a token of a type that it cannot send', async () => {
  for (const type of ['DPoP', 'mac', 'N_A']) {
    const { message } = await refusal(({ token }) => (object(token)['token_type'] = type));
    expect(message).toContain(`is ${type}, not Bearer`);
  }
});
