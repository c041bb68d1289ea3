/** Values of the SDK that the server uses as the SDK documents them. Only this room imports the SDK's values. */
export {
  bearerAuthChallengeResponse,
  classifyInboundRequest,
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
  validateHostHeader,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
