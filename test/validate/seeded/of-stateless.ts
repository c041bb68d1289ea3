/* eslint-disable @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-return -- mutations change messages of any shape */
import { META_KEYS as EXT } from '../../../generated/2026-07-28/protocol.js';
import { messageIn, stateless } from './change.js';
import type { Mutations } from './change.js';

export const WITHOUT_SESSIONS = {
  'no-client-info': [
    stateless((tape) => tape.edit('tools', ({ params }) => delete params._meta[EXT.clientInfo])),
  ],
  'wrong-result-type': [
    stateless((tape) => tape.edit('logged answer', ({ result }) => (result.resultType = 'other'))),
    stateless((tape) => tape.edit('tools answer', ({ result }) => (result.resultType = 'task'))),
  ],
  'empty-input-request': [
    stateless((tape) =>
      tape.edit('logged answer', (message) => (message.result = { resultType: 'input_required' })),
    ),
  ],
  'wrong-request-state': [
    stateless((tape) => tape.edit('round 2', ({ params }) => (params.requestState = 's2'))),
    stateless((tape) => tape.edit('round 2', ({ params }) => delete params.requestState)),
    stateless((tape) => tape.edit('round 1 answer', ({ result }) => delete result.requestState)),
  ],
  'missing-input-response': [
    stateless((tape) => tape.edit('round 2', ({ params }) => delete params.inputResponses.roots)),
  ],
  'repeated-request-id': [
    stateless((tape) => {
      const { id } = messageIn(tape, 'round 1');
      return tape
        .edit('round 2', (message) => (message.id = id))
        .edit('round 2 answer', (message) => (message.id = id));
    }),
  ],
  'no-subscription-id': [
    stateless((tape) => tape.edit('changed', ({ params }) => delete params._meta)),
  ],
  'wrong-subscription-id': [
    stateless((tape) =>
      tape.edit('changed', ({ params }) => (params._meta[EXT.subscriptionId] = 'l2')),
    ),
    stateless((tape) =>
      tape.edit('listen answer', ({ result }) => (result._meta[EXT.subscriptionId] = 'l2')),
    ),
  ],
  'early-notification': [stateless((tape) => tape.move('changed', 'listen'))],
  'no-acknowledgement': [
    stateless((tape) => tape.drop('acknowledged').drop('changed').drop('task event')),
  ],
  'excess-acknowledgement': [
    stateless((tape) =>
      tape.edit(
        'acknowledged',
        ({ params }) =>
          (params.notifications = { ...params.notifications, promptsListChanged: true }),
      ),
    ),
  ],
  'unrequested-notification': [
    stateless((tape) =>
      tape
        .edit('changed', (message) => (message.method = 'notifications/prompts/list_changed'))
        .edit(
          'discover answer',
          ({ result }) => (result.capabilities.prompts = { listChanged: true }),
        ),
    ),
    stateless((tape) => tape.edit('task event', ({ params }) => (params.taskId = 'x2'))),
  ],
} as const satisfies Mutations;
