import type { Rule } from './rule.js';
import { CORE, CORE_REVISION, EXT, EXT_REVISION, TASKS } from './scopes.js';

/** Rules about tasks. */
export const OF_TASKS = {
  'undeclared-task': {
    severity: 'error',
    requirements: ['CORE-CAP-4', 'CORE-NEW-1', 'EXT-CAP-1'],
    scope: TASKS,
    rule: `A task answers only a request that allows it: by \`params.task\` in ${CORE_REVISION}, by the extension in its own \`_meta\` in ${EXT_REVISION}.`,
  },
  'missing-refusal': {
    severity: 'error',
    requirements: ['CORE-TOOL-2', 'CORE-TOOL-4', 'EXT-CAP-3'],
    scope: TASKS,
    rule: 'The server refuses a request that it must not serve: with -32021 a task request that does not declare the extension, with -32601 a call without a task of a tool that requires one. It is a warning for a call as a task of a tool that forbids tasks.',
  },
  'task-support': {
    severity: 'error',
    requirements: ['CORE-TOOL-2', 'CORE-TOOL-4'],
    scope: CORE,
    rule: "A call follows the tool's `taskSupport`: with `params.task` where it is `required`, without where it is `forbidden` or absent.",
  },
  'foreign-field': {
    severity: 'warning',
    requirements: ['CORE-NEW-5', 'CORE-NEW-6', 'EXT-NEW-5'],
    scope: TASKS,
    rule: `A task has the field names of its own dialect: \`ttl\`, \`pollInterval\` in ${CORE_REVISION}, \`ttlMs\`, \`pollIntervalMs\` in ${EXT_REVISION}.`,
  },
  'bad-timestamp': {
    severity: 'error',
    requirements: ['CORE-NEW-4', 'EXT-NEW-5'],
    scope: TASKS,
    rule: '`createdAt` and `lastUpdatedAt` are dates and times as in RFC 3339.',
  },
  'changed-creation': {
    severity: 'error',
    requirements: ['CORE-NEW-4', 'EXT-NEW-5'],
    scope: TASKS,
    rule: '`createdAt` of a task stays the same.',
  },
  'excess-task-field': {
    severity: 'error',
    requirements: ['EXT-NEW-2'],
    scope: EXT,
    rule: 'The answer that creates a task has no `task`, `content`, `result`, `error`, `inputRequests` or `requestState`.',
  },
  'reused-task-id': {
    severity: 'error',
    requirements: ['CORE-NEW-2'],
    scope: TASKS,
    rule: 'Each task that is created has an id of its own.',
  },
  'wrong-task': {
    severity: 'error',
    requirements: ['CORE-GET-1', 'CORE-REL-1', 'EXT-GET-1'],
    scope: TASKS,
    rule: 'The answer to a task request is about the task that it names.',
  },
  'not-working': {
    severity: 'error',
    requirements: ['CORE-NEW-3'],
    scope: CORE,
    rule: 'A task starts in `working`.',
  },
  'bad-transition': {
    severity: 'error',
    requirements: ['CORE-LIFE-1', 'CORE-LIFE-2', 'CORE-RES-2'],
    scope: TASKS,
    rule: 'Nothing follows a terminal status (`completed`, `failed`, `cancelled`) but itself.',
  },
  'not-cancelled': {
    severity: 'error',
    requirements: ['CORE-CAN-1'],
    scope: CORE,
    rule: 'The answer to `tasks/cancel` shows the status `cancelled`.',
  },
  'cancelled-terminal': {
    severity: 'error',
    requirements: ['CORE-CAN-2'],
    scope: CORE,
    rule: '`tasks/cancel` for a task in a terminal status gets the error -32602.',
  },
  'wrong-status': {
    severity: 'error',
    requirements: ['CORE-LIFE-3'],
    scope: CORE,
    rule: 'A task whose tool result has `isError: true` is `failed`.',
  },
  'changed-result': {
    severity: 'error',
    requirements: ['CORE-RES-1', 'EXT-GET-2'],
    scope: TASKS,
    rule: 'The result of a task stays the same, apart from `_meta`.',
  },
  'unlisted-task': {
    severity: 'error',
    requirements: ['CORE-LST-2'],
    scope: CORE,
    rule: 'All pages of tasks/list together have each task that tasks/get finds before and after them.',
  },
  'early-poll': {
    severity: 'warning',
    requirements: ['CORE-GET-2', 'EXT-CLI-2'],
    scope: TASKS,
    rule: 'The requestor waits for the poll interval between the answer to tasks/get and its next tasks/get, unless it got other news of the task. Four fifths of the interval are enough, and the recording has to have times.',
  },
  'no-related-task': {
    severity: 'error',
    requirements: ['CORE-INP-2', 'CORE-RES-3'],
    scope: CORE,
    rule: 'The answer to `tasks/result`, and the answer to a request of a task, carry the related task in their `_meta`. It is a warning for the answer to a request, because the clients of both SDK versions leave it out.',
  },
  'needless-related-task': {
    severity: 'warning',
    requirements: ['CORE-REL-2'],
    scope: CORE,
    rule: 'Answers to tasks/get, tasks/list and tasks/cancel, and `notifications/tasks/status`, carry no related task.',
  },
  'reused-input-key': {
    severity: 'error',
    requirements: ['EXT-UPD-3'],
    scope: EXT,
    rule: 'A key of `inputRequests` stands for one request during the life of a task.',
  },
  'repeated-input-response': {
    severity: 'warning',
    requirements: ['EXT-CLI-2'],
    scope: EXT,
    rule: 'The client answers each key of `inputRequests` once.',
  },
} as const satisfies Record<string, Rule>;
