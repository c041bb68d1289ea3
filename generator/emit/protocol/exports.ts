/** Re-exported from the support modules. */
export const INFO_TYPES = ['Capability', 'NotificationInfo', 'Party', 'RequestInfo'];

/** Everything that `protocol.ts` may export. */
export const PROTOCOL_EXPORTS: ReadonlySet<string> = new Set([
  ...INFO_TYPES,
  ...['AddedResultMap', 'FeatureMap', 'NotificationMap', 'NotificationMethod'],
  ...['RequestMap', 'RequestMethod'],
  ...['ERROR_CODES', 'ErrorCode', 'META_KEYS', 'NOTIFICATIONS', 'REQUESTS'],
  ...['EXTENDS', 'EXTENSION_ID', 'JSONRPC_VERSION', 'PROTOCOL_VERSION'],
]);
