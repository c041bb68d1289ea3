import * as z from 'zod';

import { bearer, introspect } from '../server/auth/index.js';
import { type AcceptOptions, authSettings, bearerOptions } from './auth-settings.js';
import type { AuthPart } from './parts.js';
import { text } from './setting-types.js';

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
