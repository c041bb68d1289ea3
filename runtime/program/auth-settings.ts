import * as z from 'zod';

import type { BearerOptions } from '../server/auth/index.js';
import type { SettingsOf } from './settings.js';
import { list, secureUrl } from './setting-types.js';

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
