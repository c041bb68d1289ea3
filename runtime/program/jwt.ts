import { bearer } from '../server/auth/index.js';
import type { JwtOptions } from '../server/auth/jwt/index.js';
import { type AcceptOptions, authSettings, bearerOptions } from './auth-settings.js';
import type { AuthPart } from './parts.js';
import { secureUrl } from './setting-types.js';

export type JwtPartOptions = Omit<JwtOptions, 'jwks'> & AcceptOptions;

const settingsOf = () => ({
  ...authSettings(),
  AUTH_JWKS: secureUrl().describe('The URL of its public keys: jwks_uri in its metadata'),
});

/**
 * Lets in callers with signed access tokens (JWT), which are checked with the public keys of the authorization server.
 * Needs the package `jose`. Settings: `AUTH_RESOURCE`, `AUTH_ISSUER`, `AUTH_SCOPES`, `AUTH_JWKS`.
 */
export function jwt(options: JwtPartOptions = {}): AuthPart {
  const part: AuthPart<ReturnType<typeof settingsOf>> = {
    settings: settingsOf(),
    async authorize(settings, scopes) {
      const { verifyJwt } = await import('../server/auth/jwt/index.js');
      const verify = verifyJwt({ ...options, jwks: settings.AUTH_JWKS });
      return bearer({ ...bearerOptions(settings, options, scopes), verify });
    },
  };
  return part;
}
