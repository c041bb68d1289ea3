// Written by `npm run names` from generated/*/protocol.ts. Do not edit.

export * from './revisions.js';

/** What client and server declare under `extensions` for tasks. */
export const EXTENSION_ID = 'io.modelcontextprotocol/tasks';

/** Methods of requests and notifications. */
export const METHODS = {
  completionComplete: 'completion/complete',
  elicitationCreate: 'elicitation/create',
  initialize: 'initialize',
  loggingSetLevel: 'logging/setLevel',
  notificationsCancelled: 'notifications/cancelled',
  notificationsElicitationComplete: 'notifications/elicitation/complete',
  notificationsInitialized: 'notifications/initialized',
  notificationsMessage: 'notifications/message',
  notificationsProgress: 'notifications/progress',
  notificationsPromptsListChanged: 'notifications/prompts/list_changed',
  notificationsResourcesListChanged: 'notifications/resources/list_changed',
  notificationsResourcesUpdated: 'notifications/resources/updated',
  notificationsRootsListChanged: 'notifications/roots/list_changed',
  notificationsSubscriptionsAcknowledged: 'notifications/subscriptions/acknowledged',
  notificationsTasks: 'notifications/tasks',
  notificationsTasksStatus: 'notifications/tasks/status',
  notificationsToolsListChanged: 'notifications/tools/list_changed',
  ping: 'ping',
  promptsGet: 'prompts/get',
  promptsList: 'prompts/list',
  resourcesList: 'resources/list',
  resourcesRead: 'resources/read',
  resourcesSubscribe: 'resources/subscribe',
  resourcesTemplatesList: 'resources/templates/list',
  resourcesUnsubscribe: 'resources/unsubscribe',
  rootsList: 'roots/list',
  samplingCreateMessage: 'sampling/createMessage',
  serverDiscover: 'server/discover',
  subscriptionsListen: 'subscriptions/listen',
  tasksCancel: 'tasks/cancel',
  tasksGet: 'tasks/get',
  tasksList: 'tasks/list',
  tasksResult: 'tasks/result',
  tasksUpdate: 'tasks/update',
  toolsCall: 'tools/call',
  toolsList: 'tools/list',
} as const;

/** Reserved keys of `_meta`. */
export const META_KEYS = {
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  modelImmediateResponse: 'io.modelcontextprotocol/model-immediate-response',
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  relatedTask: 'io.modelcontextprotocol/related-task',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Error codes of JSON-RPC and of the protocol. */
export const ERROR_CODES = {
  HeaderMismatch: -32020,
  InternalError: -32603,
  InvalidParams: -32602,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  MissingRequiredClientCapability: -32021,
  ParseError: -32700,
  URLElicitationRequired: -32042,
  UnsupportedProtocolVersion: -32022,
} as const;
