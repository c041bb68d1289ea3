import {
  InsufficientScopeError,
  InvalidTokenError,
} from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { OAuthError as SdkError, OAuthErrorCode } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';

import { bearer, OAuthError } from '../../runtime/server/index.js';
import { RESOURCE } from './support.js';

async function refusalFor(thrown: Error) {
  const auth = bearer({
    resource: RESOURCE,
    issuer: 'https://issuer.example',
    verify: () => Promise.reject(thrown),
  });
  const headers = { authorization: 'Bearer t' };
  const answer = await auth.authenticate(new Request(RESOURCE, { headers }));
  if (!(answer instanceof Response)) return expect.fail('The request was let in');
  return { status: answer.status, body: (await answer.json()) as unknown, fault: auth.fault?.() };
}

describe('what a verifier throws', () => {
  it.each<[string, number, string, Error]>([
    ['an OAuthError of ours', 401, 'invalid_token', new OAuthError('invalid_token', 'Revoked')],
    ['one about a scope', 403, 'insufficient_scope', new OAuthError('insufficient_scope', 'No')],
    ['one about the server', 500, 'server_error', new OAuthError('server_error', 'Down')],
    ['one with another code', 400, 'access_denied', new OAuthError('access_denied', 'No')],
    ['that of the SDK', 401, 'invalid_token', new SdkError(OAuthErrorCode.InvalidToken, 'Revoked')],
    ['that of version 1 of the SDK', 401, 'invalid_token', new InvalidTokenError('Revoked')],
    ['another of it', 403, 'insufficient_scope', new InsufficientScopeError('No')],
  ])('is an answer and no fault where it is %s (%i)', async (_, status, code, thrown) => {
    const body = { error: code, error_description: thrown.message };
    expect(await refusalFor(thrown)).toEqual({ status, body, fault: undefined });
  });

  it('names the page that describes the error', async () => {
    const thrown = new OAuthError('invalid_token', 'Revoked', 'https://issuer.example/revoked');
    expect((await refusalFor(thrown)).body).toMatchObject({
      error_uri: 'https://issuer.example/revoked',
    });
  });

  it.each<[string, Error]>([
    ['another error', new Error('The database is down')],
    ['one of Node', Object.assign(new Error('No route'), { code: 'EHOSTUNREACH' })],
    ['one of that name without a code', Object.assign(new Error('?'), { name: 'OAuthError' })],
  ])('is a fault, of which the client gets no word, where it is %s', async (_, thrown) => {
    const body = { error: 'server_error', error_description: 'Internal Server Error' };
    expect(await refusalFor(thrown)).toEqual({ status: 500, body, fault: thrown });
  });
});
