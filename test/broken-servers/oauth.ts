import type { ServerResponse } from 'node:http';

import type { Answer, Name, Spoil } from './issuer.js';

/** Logins at authorization servers that are wrong in one way. */
export interface LoginWay {
  readonly id: string;
  readonly spoil: Spoil;
  readonly says: RegExp;
  /** A client may take the origin of the server for its authorization server, as in the revision 2025-03-26. */
  readonly orTakes?: boolean;
}

export function objectOf({ body }: Answer): Record<string, unknown> {
  return body as Record<string, unknown>;
}

const MEMBERS: Readonly<Record<string, string>> = {
  resource: 'resource authorization_servers scopes_supported',
  metadata:
    'issuer authorization_endpoint token_endpoint registration_endpoint response_types_supported code_challenge_methods_supported token_endpoint_auth_methods_supported scopes_supported',
  registration: 'client_id client_secret token_endpoint_auth_method',
  token: 'access_token token_type refresh_token scope id_token',
};
const WRONG: readonly unknown[] = [null, 1, true, {}, [1], [['SECRET']]];

const TYPES: readonly LoginWay[] = Object.entries(MEMBERS).flatMap(([name, members]) =>
  members.split(' ').flatMap((member) =>
    WRONG.map((value) => ({
      id: `${name} with ${member} ${JSON.stringify(value)}`,
      spoil: (answers) => (objectOf(answers[name as Name])[member] = value),
      says: new RegExp(member, 'i'),
      orTakes: name === 'resource',
    })),
  ),
);

const ABSENT: readonly (readonly [Name, string, RegExp])[] = [
  ['resource', 'resource', /resource/],
  ['metadata', 'issuer', /issuer/i],
  ['metadata', 'authorization_endpoint', /authorization_endpoint|authorization endpoint/],
  ['metadata', 'token_endpoint', /token_endpoint|token endpoint/],
  ['metadata', 'registration_endpoint', /regist/],
  ['metadata', 'code_challenge_methods_supported', /PKCE|code_challenge|S256/],
  ['registration', 'client_id', /client_id/],
  ['token', 'access_token', /access_token/],
  ['token', 'token_type', /token_type/],
];

/** Addresses at which others could read what is sent, or that are none. */
export const PUBLIC = [
  'http://login.example/x',
  'javascript:alert(1)',
  'x',
  '',
  'file:///etc/passwd',
];
const ENDPOINTS = ['authorization_endpoint', 'token_endpoint', 'registration_endpoint'];

const ADDRESSES: readonly LoginWay[] = PUBLIC.flatMap((address) => [
  ...ENDPOINTS.map((member): LoginWay => ({
    id: `metadata with ${member} ${JSON.stringify(address)}`,
    spoil: ({ metadata }) => (objectOf(metadata)[member] = address),
    says: new RegExp(`${member}|https|url|scheme|${member.replace('_', ' ')}`, 'i'),
  })),
  {
    id: `resource with the authorization server ${JSON.stringify(address)}`,
    spoil: ({ resource }) => (objectOf(resource)['authorization_servers'] = [address]),
    says: /https|url|authorization_servers/i,
    orTakes: !address.startsWith('http'),
  },
]);

const endless = (response: ServerResponse): void => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const write = (): void => {
    while (!response.destroyed && response.write('[['.repeat(10_000)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};

const PAGE: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<html>SECRET</html>',
};
const JSON_SAYS = /json|object|html|parse|metadata|invalid/i;

const BODIES: readonly LoginWay[] = [
  ...(['resource', 'metadata', 'registration', 'token'] as const).flatMap((name): LoginWay[] => [
    {
      id: `${name} without an end`,
      spoil: (answers) => (answers[name].body = endless),
      says: /more than 1048576 bytes|too (large|long)/,
    },
    {
      id: `${name} that is a page`,
      spoil: (answers) => (answers[name] = PAGE),
      says: JSON_SAYS,
      orTakes: name === 'resource',
    },
    ...[
      '[]',
      'null',
      '"SECRET-access"',
      '{"access_token":"SECRET-access"',
      '',
      '['.repeat(500_000),
    ].map((body): LoginWay => ({
      id: `${name} that is ${body.slice(0, 20)}`,
      spoil: (answers) => (answers[name].body = body),
      says: JSON_SAYS,
      orTakes: name === 'resource',
    })),
  ]),
];

const refusing =
  (status: number, body: Answer['body'], headers: Answer['headers'] = {}): Spoil =>
  (answers) =>
    void (answers.token = { status, headers: { ...answers.token.headers, ...headers }, body });

const INVALID_GRANT = {
  error: 'invalid_grant',
  error_description: 'SECRET-code is not SECRET-client',
};

const REFUSALS: readonly LoginWay[] = [
  ...[200, 400, 401, 403, 500, 503].map((status) => ({
    id: `a token that is refused with HTTP ${String(status)}`,
    spoil: refusing(status, INVALID_GRANT),
    says: /invalid_grant|is not SECRET-client/,
  })),
  {
    id: 'a token that is refused with a challenge',
    spoil: refusing(401, INVALID_GRANT, { 'www-authenticate': 'Basic realm="x"' }),
    says: /invalid_grant|is not SECRET-client/,
  },
  {
    id: 'a token that is refused with a megabyte',
    spoil: refusing(400, { error: 'x'.repeat(400_000), error_description: 'y'.repeat(400_000) }),
    says: /xxx|yyy/,
  },
  ...[404, 500].map((status) => ({
    id: `a token that is refused with HTTP ${String(status)} alone`,
    spoil: refusing(status, 'SECRET'),
    says: new RegExp(String(status)),
  })),
  ...(['registration', 'metadata', 'resource'] as const).flatMap((name) =>
    [400, 500].map((status): LoginWay => ({
      id: `${name} that is refused with HTTP ${String(status)}`,
      spoil: (answers) => (answers[name] = { status, headers: {}, body: 'SECRET' }),
      says: new RegExp(`${String(status)}|metadata|discover`),
      orTakes: name === 'resource',
    })),
  ),
  ...['DPoP', 'mac', 'N_A'].map((type): LoginWay => ({
    id: `a token of the type ${type}`,
    spoil: ({ token }) => (objectOf(token)['token_type'] = type),
    says: new RegExp(`${type}|token_type|Bearer`),
  })),
];

const REDIRECTED: readonly LoginWay[] = [
  ...(['registration', 'token'] as const).map((name): LoginWay => ({
    id: `${name} that is redirected`,
    spoil(answers) {
      answers[name] = { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' };
    },
    says: /307|redirect/i,
  })),
  {
    id: 'metadata that is redirected to http',
    spoil(answers) {
      const location = 'http://login.example/metadata';
      answers.metadata = { status: 302, headers: { location }, body: '' };
    },
    says: /https|redirect/,
  },
  {
    id: 'metadata that is redirected in a circle',
    spoil(answers, origin) {
      const location = `${origin}/.well-known/oauth-authorization-server`;
      answers.metadata = { status: 302, headers: { location }, body: '' };
    },
    says: /redirect/i,
  },
];

const IDENTITY: readonly LoginWay[] = [
  {
    id: 'metadata of another issuer',
    spoil: ({ metadata }) => (objectOf(metadata)['issuer'] = 'https://login.example'),
    says: /issuer/i,
  },
  {
    id: 'metadata of an issuer with a slash more',
    spoil: ({ metadata }, origin) => (objectOf(metadata)['issuer'] = `${origin}/`),
    says: /issuer/i,
  },
  {
    id: 'resource that is another one',
    spoil: ({ resource }) => (objectOf(resource)['resource'] = 'https://mcp.example/mcp'),
    says: /resource|is for/,
  },
  {
    id: 'resource without an authorization server',
    spoil: ({ resource }) => (objectOf(resource)['authorization_servers'] = []),
    says: /authorization.server/i,
    orTakes: true,
  },
  {
    id: 'metadata without S256',
    spoil: ({ metadata }) => (objectOf(metadata)['code_challenge_methods_supported'] = ['plain']),
    says: /PKCE|code.challenge|S256/i,
  },
  {
    id: 'metadata without the response type code',
    spoil: ({ metadata }) => (objectOf(metadata)['response_types_supported'] = ['token']),
    says: /response.type/i,
  },
];

/** What the browser brings back. */
const ANSWERS: readonly LoginWay[] = (
  [
    ['another issuer', { iss: 'https://login.example' }, /iss/i],
    ['a refusal', { code: '', error: 'access_denied' }, /access_denied/],
  ] as const
).map(([id, redirect, says]) => ({
  id: `a browser that returns with ${id}`,
  spoil: (answers) => void (answers.redirect = { ...answers.redirect, ...redirect }),
  says,
}));

export const LOGINS: readonly LoginWay[] = [
  ...TYPES,
  ...ABSENT.map(([name, member, says]): LoginWay => ({
    id: `${name} without ${member}`,
    spoil: (answers) => void Reflect.deleteProperty(objectOf(answers[name]), member),
    says,
    orTakes: name === 'resource',
  })),
  ...ADDRESSES,
  ...BODIES,
  ...REFUSALS,
  ...REDIRECTED,
  ...IDENTITY,
  ...ANSWERS,
];
