import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

import { createLogins, LoginError, type Logins } from '../../runtime/client/node/index.js';
import { type Issuer, type Spoil, startIssuer } from '../broken-servers/issuer.js';
import { LOGINS, objectOf, PUBLIC } from '../broken-servers/oauth.js';

/** Ends with the test. */
async function start(spoil: Spoil): Promise<Issuer> {
  const issuer = await startIssuer(spoil);
  onTestFinished(() => issuer.close());
  return issuer;
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
  spoil: Spoil,
  grant: 'browser' | 'device' = 'browser',
): Promise<{ message: string; requests: Issuer['requests']; origin: string }> {
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

it('logs in where nothing is wrong, in the browser and by device', async () => {
  const { url } = await start(() => undefined);
  for (const grant of ['browser', 'device'] as const) {
    const { logins, saved } = opened();
    await (grant === 'browser' ? logins.browser(url, browse) : logins.device(url, () => undefined));
    expect(saved()).toContain('SECRET-access');
  }
});

/** Those in which it takes the origin for the issuer are no refusals. */
const REFUSED = LOGINS.filter(
  ({ id, orTakes }) => orTakes !== true || /^resource with(?:out resource$| )/.test(id),
);

it.each(REFUSED)('is refused, and its secrets are shown nowhere: $id', async ({ spoil, says }) => {
  const { message } = await refusal(spoil);
  expect(message).toMatch(says);
});

it.each(['device_code', 'user_code', 'verification_uri'])(
  'a member of another type is refused: %s',
  async (member) => {
    for (const value of [null, 1, true, {}, [1], [['SECRET']]]) {
      await refusal((answers) => (objectOf(answers.device)[member] = value), 'device');
    }
  },
);

it.each(['authorization_endpoint', 'token_endpoint', 'registration_endpoint'])(
  'sends nothing to the %s of another scheme',
  async (member) => {
    for (const address of PUBLIC) {
      const { requests } = await refusal(({ metadata }) => (objectOf(metadata)[member] = address));
      expect(requests.map(({ path }) => path)).not.toContain('/token');
    }
  },
);

describe('an issuer', () => {
  it.each(PUBLIC)('that is not private is not asked: %s', async (issuer) => {
    const { message, requests } = await refusal(
      ({ resource }) => (objectOf(resource)['authorization_servers'] = [issuer]),
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
      objectOf(metadata)['issuer'] = other.origin;
    });
    expect(message).toContain(`names the issuer ${other.origin}`);
    expect(other.requests).toEqual([]);
  });

  it('that differs by a slash alone is an error that says what to change', async () => {
    const { message, origin } = await refusal(({ metadata }, origin) => {
      objectOf(metadata)['issuer'] = `${origin}/`;
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

describe('an error of OAuth', () => {
  const error = { error: 'invalid_grant', error_description: 'SECRET-code is not SECRET-client' };

  it.each([200, 400, 401, 403, 500, 503])('is shown without secrets at HTTP %i', async (status) => {
    const { message } = await refusal((answers) => {
      answers.token = { ...answers.token, status, body: error };
    });
    expect(message).toBe('The authorization server refused: … is not … (invalid_grant)');
  });
});

it('sends a token to no server that another one names as itself', async () => {
  const other = await start(() => undefined);
  const { message, requests } = await refusal(({ resource }) => {
    objectOf(resource)['resource'] = other.url;
  });
  expect(message).toContain(`is for ${other.url}, not for`);
  expect(requests.map(({ path }) => path)).not.toContain('/token');
});
