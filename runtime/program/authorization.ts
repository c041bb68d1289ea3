import * as z from 'zod';
import { type BearerOptions, bearer, introspect } from '../server/auth/index.js';
import type { SettingsOf } from './settings.js';
import { list, secureUrl, text } from './setting-types.js';
import type { AuthPart } from './parts.js';
import type { JwtOptions } from '../server/auth/jwt/index.js';

/** Settings of every authorization. */
export const authSettings = () => ({
  AUTH_RESOURCE: z
    .url()
    .describe('The URL under which clients reach the server, for which tokens are issued'),
  AUTH_ISSUER: secureUrl()
    .refine((text) => !/[?#]/.test(text), 'must have no query and no fragment')
    .describe('The URL of the authorization server'),
  AUTH_SCOPES: list().default([]).describe('Scopes that every request needs'),
});

/** What `jwt` and `introspection` take beside their settings. */
export type AcceptOptions = Pick<BearerOptions, 'rememberMs' | 'confirm'>;

/** The options of `bearer`, but for the verifier. */
export function bearerOptions(
  settings: SettingsOf<ReturnType<typeof authSettings>>,
  { rememberMs, confirm }: AcceptOptions,
  scopes: readonly string[] = [],
): Omit<BearerOptions, 'verify'> {
  return {
    resource: settings.AUTH_RESOURCE,
    issuer: settings.AUTH_ISSUER,
    scopes: [...settings.AUTH_SCOPES, ...scopes],
    ...(rememberMs !== undefined && { rememberMs }),
    ...(confirm !== undefined && { confirm }),
  };
}

const settingsOf = () => ({
  ...authSettings(),
  AUTH_INTROSPECTION: z.url().describe('The URL where it verifies tokens (RFC 7662)'),
  AUTH_CLIENT_ID: text().describe('The client id of this server there'),
  AUTH_CLIENT_SECRET: text().describe('The client secret of this server there'),
});

/**
 * Lets in callers with access tokens that the authorization server calls valid (RFC 7662). Settings: `AUTH_RESOURCE`,
 * `AUTH_ISSUER`, `AUTH_SCOPES`, `AUTH_INTROSPECTION`, `AUTH_CLIENT_ID`, `AUTH_CLIENT_SECRET`.
 */
export function introspection(options: AcceptOptions = {}): AuthPart {
  const part: AuthPart<ReturnType<typeof settingsOf>> = {
    settings: settingsOf(),
    authorize(settings, scopes) {
      const verify = introspect({
        introspection: settings.AUTH_INTROSPECTION,
        clientId: settings.AUTH_CLIENT_ID,
        clientSecret: settings.AUTH_CLIENT_SECRET,
      });
      return Promise.resolve(bearer({ ...bearerOptions(settings, options, scopes), verify }));
    },
  };
  return part;
}

export type JwtPartOptions = Omit<JwtOptions, 'jwks'> & AcceptOptions;

const jwtSettings = () => ({
  ...authSettings(),
  AUTH_JWKS: secureUrl().describe('The URL of its public keys: jwks_uri in its metadata'),
});

/**
 * Lets in callers with signed access tokens (JWT), which are checked with the public keys of the authorization server.
 * Needs the package `jose`. Settings: `AUTH_RESOURCE`, `AUTH_ISSUER`, `AUTH_SCOPES`, `AUTH_JWKS`.
 */
export function jwt(options: JwtPartOptions = {}): AuthPart {
  const part: AuthPart<ReturnType<typeof jwtSettings>> = {
    settings: jwtSettings(),
    async authorize(settings, scopes) {
      const { verifyJwt } = await import('../server/auth/jwt/index.js');
      const verify = verifyJwt({ ...options, jwks: settings.AUTH_JWKS });
      return bearer({ ...bearerOptions(settings, options, scopes), verify });
    },
  };
  return part;
}
