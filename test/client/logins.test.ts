import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

import { openLoopback } from '../../runtime/client/node/loopback.js';
import { createTaskClient } from '../../runtime/client/index.js';
import {
  createLogins,
  httpFetch,
  LoginError,
  type Logins,
  stepUpFetch,
} from '../../runtime/client/node/index.js';
import { freePort } from '../../runtime/testing/free-port.js';
import { MACHINE, startProtected } from './oauth-server.js';

function opened(): { logins: Logins; folder: string; files: () => string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-codegen-logins-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logins = createLogins({ folder, clientName: 'test' });
  return { logins, folder, files: () => readdirSync(folder).map((name) => join(folder, name)) };
}

/** A browser whose user agrees to everything. */
const browse = (address: URL): void => void fetch(address);

/** Calls a tool with the login, and resolves with what it says. */
async function call(logins: Logins, url: string, secret?: string): Promise<unknown> {
  const authProvider = await logins.authProvider(url, secret);
  const client = createTaskClient({ name: 'test', version: '1' });
  try {
    await client.connect(url, { ...(authProvider && { authProvider }) });
    return (await client.call('whoami')).content;
  } finally {
    await client.close();
  }
}

const SAID = [{ type: 'text', text: 'one of us' }];

describe('a login in the browser', () => {
  it('registers, proves possession of the code, and keeps the tokens in a private file', async () => {
    const { url, as } = await startProtected();
    const { logins, files } = opened();
    await expect(call(logins, url)).rejects.toThrow();
    await logins.browser(url, browse);
    expect(await call(logins, url)).toEqual(SAID);
    const [file = ''] = files();
    expect(files()).toHaveLength(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [authorize] = as.requests.filter(({ path }) => path === '/authorize');
    expect(authorize?.params).toMatchObject({
      code_challenge_method: 'S256',
      resource: url,
      scope: 'mcp',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
    });
  });

  it('refreshes tokens, also when two requests need that at once', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    as.tokens.clear();
    expect(await call(logins, url)).toEqual(SAID);
    const provider = await logins.authProvider(url);
    as.tokens.clear();
    await Promise.all([provider?.onUnauthorized?.(), provider?.onUnauthorized?.()]);
    expect(as.tokens.size).toBe(1);
    expect(await call(logins, url)).toEqual(SAID);
  });

  it('takes over the tokens that another process has refreshed', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const [first, second] = [await logins.authProvider(url), await logins.authProvider(url)];
    as.tokens.clear();
    await first?.onUnauthorized?.();
    await second?.onUnauthorized?.();
    expect(await second?.token()).toBe(await first?.token());
  });

  it.each(['access_token', 'refresh_token', 'id_token', 'token_type', 'scope'])(
    'keeps and sends no %s with characters that the standard does not allow',
    async (member) => {
      const { url, as } = await startProtected();
      const { logins, files } = opened();
      const refused = `The \`${member}\` of the authorization server has characters`;
      const codes = [...Array(32).keys(), 0x7f, 0xe9, 0x202e].filter((code) => code !== 0x20);
      for (const code of codes) {
        as.misbehaviour.answer = { [member]: `a${String.fromCodePoint(code)}b` };
        await expect(logins.browser(url, browse)).rejects.toThrow(refused);
      }
      expect(files()).toEqual([]);
      delete as.misbehaviour.answer;
      await logins.browser(url, browse);
      // Neither after a renewal, nor from a file that something else has written.
      as.tokens.clear();
      as.misbehaviour.answer = { [member]: 'a\r\nX-More: b' };
      await expect(call(logins, url)).rejects.toThrow(refused);
      const [file = ''] = files();
      const { tokens, ...rest } = JSON.parse(readFileSync(file, 'utf8')) as { tokens: object };
      expect(JSON.stringify(tokens)).not.toContain('X-More');
      writeFileSync(file, JSON.stringify({ ...rest, tokens: { ...tokens, [member]: 'a\nb' } }));
      await expect(logins.authProvider(url)).rejects.toThrow('contains no login');
    },
  );

  it('quotes an authorization server with its invisible characters escaped', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    as.misbehaviour.response = { error: 'no', error_description: 'a\u202eb\u001b[2J' };
    const failed = await logins.browser(url, browse).catch((error: unknown) => String(error));
    expect(failed).toContain('a\\u{202e}b\\u{1b}[2J');
    expect(new LoginError('a\u202eb').message).toBe('a\\u{202e}b');
  });

  it('says when the tokens cannot be refreshed', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    as.tokens.clear();
    as.misbehaviour.refreshError = 'invalid_grant';
    await expect(call(logins, url)).rejects.toThrow(`The login at ${url} has expired`);
  });

  it('says when the authorization server cannot refresh them now, and keeps them', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    as.tokens.clear();
    as.misbehaviour.refreshError = 'temporarily_unavailable';
    await expect(call(logins, url)).rejects.toThrow(
      'The authorization server refused: no: temporarily_unavailable (temporarily_unavailable)',
    );
    delete as.misbehaviour.refreshError;
    expect(await call(logins, url)).toEqual(SAID);
  });

  it('waits on when a page sends a wrong state', async () => {
    const { url } = await startProtected();
    const { logins } = opened();
    const wrong = async (address: URL): Promise<void> => {
      const redirect = new URL(address.searchParams.get('redirect_uri') ?? '');
      const answer = await fetch(`${redirect.href}?code=x&state=y`);
      expect(answer.status).toBe(400);
      browse(address);
    };
    await logins.browser(url, (address) => void wrong(address));
    expect(await call(logins, url)).toEqual(SAID);
  });

  it.each(['//', '//[', '/callback/../', '*'])('answers 404 for %s', async (path) => {
    const loopback = await openLoopback();
    onTestFinished(() => loopback.close());
    const { hostname, port } = new URL(loopback.redirectUrl);
    const request = get({ hostname, port, path });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(404);
  });

  it.each([
    ['another issuer', { iss: 'http://127.0.0.1:1' }, /issuer/i],
    ['no issuer', { iss: null }, /issuer|iss/i],
    ['a wrong code', { code: 'wrong' }, /invalid_grant/],
    ['no code', { code: null }, /neither a code nor an error/],
    ['a refusal', { code: null, error: 'access_denied', error_description: 'no' }, /access_denied/],
    [
      'a refusal of another issuer',
      { code: null, error: 'call_me', error_description: '1', iss: 'https://login.example' },
      /^(?!.*call_me).*names the issuer https:\/\/login\.example, and http:\/\/127/,
    ],
    [
      'a refusal of no issuer',
      { code: null, error: 'call_me', error_description: '1', iss: null },
      /^(?!.*call_me).*names no issuer/,
    ],
  ])('ends when the authorization response has %s', async (_, response, message) => {
    const { url, as } = await startProtected();
    const { logins, files } = opened();
    as.misbehaviour.response = response;
    await expect(logins.browser(url, browse)).rejects.toThrow(message);
    expect(files()).toEqual([]);
    if ('iss' in response) expect(as.requests.filter(({ path }) => path === '/token')).toEqual([]);
  });

  it.each([
    ['issuer', 'http://127.0.0.1:1', /issuer/i],
    ['authorization_endpoint', 'http://login.example/authorize', /not an https address/],
    ['token_endpoint', 'http://login.example/token', /https|insecure/i],
    ['authorization_endpoint', 'javascript:alert(1)', /javascript|url/i],
    ['code_challenge_methods_supported', ['plain'], /S256/],
    ['code_challenge_methods_supported', undefined, /S256/],
  ])('refuses metadata with the %s %s', async (name, value, message) => {
    const { url, as } = await startProtected();
    const { logins, files } = opened();
    as.misbehaviour.metadata = { [name]: value };
    await expect(logins.browser(url, browse)).rejects.toThrow(message);
    expect(files()).toEqual([]);
    if (name.startsWith('code')) {
      expect(as.requests.filter(({ path }) => path === '/register')).toEqual([]);
    }
  });

  it('compares the issuer of a response also where the metadata does not promise one', async () => {
    const { url, as } = await startProtected();
    as.misbehaviour.metadata = { authorization_response_iss_parameter_supported: undefined };
    as.misbehaviour.response = { iss: `${as.issuer}/` };
    await expect(opened().logins.browser(url, browse)).rejects.toThrow(/issuer/);
    as.misbehaviour.response = { iss: null };
    await opened().logins.browser(url, browse);
  });

  it('registers as a native application, in the browser and by device', async () => {
    const { url, as } = await startProtected();
    await opened().logins.browser(url, browse);
    await opened().logins.device(url, ({ userCode }) => void as.approved.add(userCode));
    const registered = as.requests.filter(({ path }) => path === '/register');
    expect(registered.map(({ params }) => params['application_type'])).toEqual([
      'native',
      'native',
    ]);
  });

  it('ends with its signal', async () => {
    const { url } = await startProtected();
    const stop = new AbortController();
    const login = opened().logins.browser(url, () => stop.abort(), { signal: stop.signal });
    await expect(login).rejects.toThrow('ended before it was finished');
  });

  it('refuses servers that others could read the tokens of', async () => {
    const login = opened().logins.browser('http://mcp.example/mcp', browse);
    await expect(login).rejects.toThrow('not an https address');
  });

  it('uses a registered client, and only at its issuer', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse, { registered: { id: 'registered', issuer: as.issuer } });
    expect(await call(logins, url)).toEqual(SAID);
    expect(as.requests.some(({ path }) => path === '/register')).toBe(false);
    const registered = { id: MACHINE.id, secret: MACHINE.secret, issuer: 'https://login.example' };
    await expect(logins.browser(url, browse, { registered })).rejects.toThrow(
      `names the authorization server ${as.issuer}, not https://login.example`,
    );
    expect(JSON.stringify(as.requests)).not.toContain(MACHINE.secret);
  });
});

describe('a login by device', () => {
  it('waits for the user', async () => {
    const { url, as } = await startProtected();
    as.misbehaviour.deviceErrors = ['authorization_pending'];
    const { logins } = opened();
    await logins.device(url, ({ userCode, address }) => {
      expect(address.href).toBe(`${as.issuer}/activate`);
      as.approved.add(userCode);
    });
    expect(await call(logins, url)).toEqual(SAID);
    as.tokens.clear();
    expect(await call(logins, url)).toEqual(SAID);
  });

  it.each([
    ['access_denied', /access_denied/],
    ['expired_token', /expired/],
  ])('ends with %s', async (error, message) => {
    const { url, as } = await startProtected();
    as.misbehaviour.deviceErrors = [error];
    await expect(opened().logins.device(url, () => undefined)).rejects.toThrow(message);
  });

  it('says when there is none, and ends with its signal', async () => {
    const { url, as } = await startProtected();
    const stop = new AbortController();
    const { signal } = stop;
    await expect(opened().logins.device(url, () => stop.abort(), { signal })).rejects.toThrow(
      'ended before it was finished',
    );
    as.misbehaviour.metadata = { device_authorization_endpoint: undefined };
    await expect(opened().logins.device(url, () => undefined)).rejects.toThrow('Use the browser');
  });
});

describe('a login of a program', () => {
  it('sends its secret to its issuer only, and does not keep it', async () => {
    const { url, as } = await startProtected();
    const { logins, files } = opened();
    const other = { ...MACHINE, issuer: 'https://login.example' };
    await expect(logins.client(url, other)).rejects.toThrow(/login\.example/);
    expect(as.requests.filter(({ path }) => path === '/token')).toEqual([]);
    await logins.client(url, { ...MACHINE, issuer: as.issuer });
    expect(readFileSync(files()[0] ?? '', 'utf8')).not.toContain(MACHINE.secret);
    as.tokens.clear();
    await expect(call(logins, url)).rejects.toThrow('has expired');
    expect(await call(logins, url, MACHINE.secret)).toEqual(SAID);
  });
});

describe('logging out', () => {
  it('revokes the tokens and forgets them', async () => {
    const { url, as } = await startProtected();
    const { logins, files } = opened();
    expect(await logins.logOut(url)).toBe('not logged in');
    await logins.browser(url, browse);
    expect(await logins.logOut(url)).toBe('revoked');
    expect(files()).toEqual([]);
    expect(as.requests.at(-1)).toMatchObject({
      path: '/revoke',
      params: { token_type_hint: 'refresh_token' },
    });
    expect(await logins.authProvider(url)).toBeUndefined();
  });
});

describe('the file of a login', () => {
  it.each([
    ['that others may read', (file: string) => chmodSync(file, 0o644), /Run: chmod 600 /],
    ['that is not JSON', (file: string) => writeFileSync(file, '{'), /is not JSON/],
    [
      'of another server',
      (file: string) => writeFileSync(file, readFileSync(file, 'utf8').replace('/mcp"', '/other"')),
      /contains no login/,
    ],
    [
      'of something else',
      (file: string) => writeFileSync(file, '{"tokens":{}}'),
      /contains no login/,
    ],
  ])('%s is not used', async (_, spoil, message) => {
    const { url } = await startProtected();
    const { logins, files } = opened();
    await logins.browser(url, browse);
    spoil(files()[0] ?? '');
    await expect(logins.authProvider(url)).rejects.toThrow(message);
  });
});

describe('a tool that needs more scopes', () => {
  it('makes the user log in again for them, once for calls that are refused together', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const authProvider = await logins.authProvider(url);
    if (authProvider === undefined) throw new Error('No login');
    const shown: URL[] = [];
    const show = (address: URL): void => {
      shown.push(address);
      browse(address);
    };
    const client = createTaskClient({ name: 'test', version: '1' });
    const fetch = stepUpFetch(authProvider, { show, fetch: httpFetch() });
    await client.connect(url, { authProvider, fetch });
    onTestFinished(() => client.close());
    expect((await client.call('whoami')).content).toEqual(SAID);
    expect(shown).toEqual([]);
    const erased = await Promise.all([client.call('erase'), client.call('erase')]);
    for (const { content } of erased) expect(content).toEqual([{ type: 'text', text: 'erased' }]);
    expect(shown).toHaveLength(1);
    expect(shown[0]?.searchParams.get('scope')?.split(' ').sort()).toEqual(['admin', 'mcp']);
    const last = [...as.tokens.values()].at(-1);
    expect(last?.scope.split(' ').sort()).toEqual(['admin', 'mcp']);
    // The login is kept with its new scopes.
    expect(await (await logins.authProvider(url))?.token()).toBe(await authProvider.token());
  });

  it('is refused when the user does not agree, and asks with all scopes', async () => {
    const { url } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const authProvider = await logins.authProvider(url);
    if (authProvider === undefined) throw new Error('No login');
    const asked: unknown[] = [];
    const shown: URL[] = [];
    const client = createTaskClient({ name: 'test', version: '1' });
    const fetch = stepUpFetch(authProvider, {
      show: (address) => shown.push(address),
      agree: (scopes) => Promise.resolve(asked.push(scopes) === 0),
    });
    await client.connect(url, { authProvider, fetch });
    onTestFinished(() => client.close());
    await expect(client.call('erase')).rejects.toThrow(/scope/i);
    expect(asked).toEqual([['mcp', 'admin']]);
    expect(shown).toEqual([]);
  });

  it('ends when every request for which the user logs in has ended', async () => {
    const { url } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const provider = await logins.authProvider(url);
    if (provider === undefined) throw new Error('No login');
    const [first, second] = [new AbortController(), new AbortController()];
    let shown: URL | undefined;
    const show = (address: URL): void => {
      shown = address;
      first.abort();
      setTimeout(() => second.abort(), 100);
    };
    const results = await Promise.allSettled(
      [first, second].map(({ signal }) => provider.stepUp('admin', { show, signal })),
    );
    for (const { status, ...rest } of results) {
      expect(status).toBe('rejected');
      expect(rest).toMatchObject({ reason: { name: 'LoginError' } });
    }
    const redirect = shown?.searchParams.get('redirect_uri') ?? '';
    await expect(fetch(redirect)).rejects.toThrow();
  });

  it('goes on for the request that has not ended', async () => {
    const { url } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const provider = await logins.authProvider(url);
    if (provider === undefined) throw new Error('No login');
    const first = new AbortController();
    const show = (address: URL): void => {
      first.abort();
      browse(address);
    };
    const { signal } = first;
    const both = [provider.stepUp('admin', { show, signal }), provider.stepUp('admin', { show })];
    expect(await Promise.all(both)).toEqual([true, true]);
  });

  it('uses the client and the scopes of the login', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    const port = await freePort();
    await logins.browser(url, browse, {
      registered: { id: 'registered', issuer: as.issuer },
      redirectPort: port,
      scope: 'mcp other',
    });
    as.misbehaviour.withoutScope = true;
    as.tokens.clear();
    // Refreshes: the answer names no scopes.
    expect(await call(logins, url)).toEqual(SAID);
    as.requests.length = 0;
    const provider = await logins.authProvider(url);
    expect(await provider?.stepUp('admin', { show: browse })).toBe(true);
    const [authorize] = as.requests.filter(({ path }) => path === '/authorize');
    expect(authorize?.params).toMatchObject({
      client_id: 'registered',
      redirect_uri: `http://127.0.0.1:${String(port)}/callback`,
      scope: 'mcp other admin',
    });
    expect(as.requests.some(({ path }) => path === '/register')).toBe(false);
  });

  it('uses the scopes that a login asked for where the answer names none', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    as.misbehaviour.withoutScope = true;
    await logins.browser(url, browse, { scope: 'mcp other' });
    as.requests.length = 0;
    const provider = await logins.authProvider(url);
    expect(await provider?.stepUp('admin', { show: browse })).toBe(true);
    const [authorize] = as.requests.filter(({ path }) => path === '/authorize');
    expect(authorize?.params).toMatchObject({ scope: 'mcp other admin' });
  });

  it('opens no browser for a login that had none', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.client(url, { ...MACHINE, issuer: as.issuer });
    const provider = await logins.authProvider(url);
    expect(await provider?.stepUp('admin', { show: () => expect.unreachable() })).toBe(false);
  });

  it('is refused with the scopes in the error where the client does not ask for them', async () => {
    const { url } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const authProvider = await logins.authProvider(url);
    const client = createTaskClient({ name: 'test', version: '1' });
    await client.connect(url, { ...(authProvider && { authProvider }) });
    onTestFinished(() => client.close());
    await expect(client.call('erase')).rejects.toThrow(/scope/i);
    expect((await client.call('whoami')).content).toEqual(SAID);
  });

  it('ends with the reason when the user refuses', async () => {
    const { url, as } = await startProtected();
    const { logins } = opened();
    await logins.browser(url, browse);
    const authProvider = await logins.authProvider(url);
    if (authProvider === undefined) throw new Error('No login');
    as.misbehaviour.response = { code: null, error: 'access_denied' };
    const client = createTaskClient({ name: 'test', version: '1' });
    const fetch = stepUpFetch(authProvider, { show: browse });
    await client.connect(url, { authProvider, fetch });
    onTestFinished(() => client.close());
    await expect(client.call('erase')).rejects.toThrow(/access_denied/);
  });
});
