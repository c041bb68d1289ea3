/** Values of the SDK that the server uses as the SDK documents them. Only this room imports the SDK's values. */
export {
  createRequestStateCodec,
  getOAuthProtectedResourceMetadataUrl,
  hostHeaderValidationResponse,
  isInitializeRequest,
  isJsonContentType,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  OAuthError,
  OAuthErrorCode,
  oauthMetadataResponse,
  originValidationResponse,
  requireBearerAuth,
} from '@modelcontextprotocol/server';
