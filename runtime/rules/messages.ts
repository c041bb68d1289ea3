/** What the specification says of messages and no schema does, for servers, clients, `validate`, `guard` and pages. */
import { EXTENSION_ID, METHODS } from '../protocol.js';

/** The capability of the tasks extension, as clients and servers declare it, and as errors name it. */
export const TASKS_EXTENSION = { extensions: { [EXTENSION_ID]: {} } } as const;

/** Requests whose result says what the server is and can do. */
export const HANDSHAKES: ReadonlySet<unknown> = new Set([
  METHODS.initialize,
  METHODS.serverDiscover,
]);

/** Levels of log messages, the least severe first. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

/** The code of sessions for a resource that was not found. Revisions without sessions have `InvalidParams`. */
export const RESOURCE_NOT_FOUND = -32_002;

/** Lists of a server by the member of their results: what declares them, and what tells their entries apart. */
export const LISTS = {
  tools: { method: METHODS.toolsList, feature: 'tools', key: 'name', noun: 'tool' },
  prompts: { method: METHODS.promptsList, feature: 'prompts', key: 'name', noun: 'prompt' },
  resources: { method: METHODS.resourcesList, feature: 'resources', key: 'uri', noun: 'resource' },
  resourceTemplates: {
    ...{ method: METHODS.resourcesTemplatesList, feature: 'resources' },
    ...{ key: 'uriTemplate', noun: 'resource template' },
  },
} as const;

/** Lists that change: the notification and the capability of the server that announces it, by the member of a filter. */
export const LIST_CHANGES = {
  toolsListChanged: { feature: 'tools', method: METHODS.notificationsToolsListChanged },
  promptsListChanged: { feature: 'prompts', method: METHODS.notificationsPromptsListChanged },
  resourcesListChanged: { feature: 'resources', method: METHODS.notificationsResourcesListChanged },
} as const;

/** What the members of a filter of `subscriptions/listen` ask for. `key`: the param with one of the names that it lists. */
export const FILTERS = {
  ...LIST_CHANGES,
  resourceSubscriptions: { method: METHODS.notificationsResourcesUpdated, key: 'uri' },
  taskIds: { method: METHODS.notificationsTasks, key: 'taskId' },
} as const;

/** The definition of a result by its `resultType`, in revisions without sessions. That of `complete` is its method's. */
export const RESULT_TYPES = {
  complete: undefined,
  input_required: 'InputRequiredResult',
  task: 'CreateTaskResult',
} as const;

/** What every other result of these revisions says. */
export const COMPLETE = { resultType: 'complete' } as const;

/** Methods whose results say, in these revisions, for how long a client may keep them. */
export const CACHEABLE: ReadonlySet<string> = new Set([
  METHODS.serverDiscover,
  METHODS.toolsList,
  METHODS.promptsList,
  METHODS.resourcesList,
  METHODS.resourcesTemplatesList,
  METHODS.resourcesRead,
]);

/** What such a result has that may not be kept. */
export const NOT_CACHED = { ttlMs: 0, cacheScope: 'private' } as const;
