export {
  ANYBODY,
  type AuthInfo,
  type Authorization,
  type BearerOptions,
  type BoundToken,
  type ConfirmBinding,
  type Identification,
  IdentityError,
  LOCAL_OWNER,
  type TokenVerifier,
} from './authorization.js';
export { bearer, callerOf, identityOf, ownerOf, principalOf, settled } from './bearer.js';
export type { VerifiedToken } from './claims.js';
export { introspect, type IntrospectionOptions } from './introspection.js';
export { OAuthError, scopeChallenge } from './oauth.js';
export { ConfigError, LOCAL_HOSTS } from './urls.js';
