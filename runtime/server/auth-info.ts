/** A verified identity. It has the shape that the middleware and the transports of the official SDK use as well. */
export interface AuthInfo {
  /** The access token. Empty where code in front of the server identified the caller. */
  readonly token: string;
  /** The application that got the token. */
  readonly clientId: string;
  readonly scopes: string[];
  /** Seconds since the epoch. */
  readonly expiresAt?: number;
  /** The resource for which the token was issued (RFC 8707). */
  readonly resource?: URL;
  /** Where the document says how clients get a token (RFC 9728). */
  readonly resourceMetadataUrl?: string;
  /** `issuer` and `subject`, which identify the user, and whatever else a verifier adds. */
  readonly extra?: Record<string, unknown>;
}
