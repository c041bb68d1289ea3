export {
  type Authorization,
  bearer,
  type BearerOptions,
  type TokenVerifier,
  type VerifiedToken,
  type BoundToken,
  type ConfirmBinding,
} from './bearer.js';
export { introspect, type IntrospectionOptions } from './introspection.js';
export { OAuthError, scopeChallenge } from './oauth.js';
export {
  ANYBODY,
  type AuthInfo,
  callerOf,
  type Identification,
  IdentityError,
  identityOf,
  LOCAL_OWNER,
  ownerOf,
  settled,
  subjectKeyOf,
} from './principal.js';
export { ConfigError, LOCAL_HOSTS } from './urls.js';
