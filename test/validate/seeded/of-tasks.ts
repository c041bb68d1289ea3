/* eslint-disable @typescript-eslint/no-unsafe-member-access -- mutations change messages of any shape */
import { META_KEYS as CORE } from '../../../generated/2025-11-25/protocol.js';
import { META_KEYS as EXT } from '../../../generated/2026-07-28/protocol.js';
import { session, stateless } from './change.js';
import { task } from './session.js';
import { extTask } from './stateless.js';
import type { Mutations } from './change.js';

export const OF_TASKS = {
  'undeclared-task': [
    session((tape) =>
      tape.edit('call answer', (message) => (message.result = { task: task('t9', 'working') })),
    ),
    stateless((tape) =>
      tape.edit('create 2', ({ params }) => delete params._meta[EXT.clientCapabilities].extensions),
    ),
  ],
  'missing-refusal': [
    // The client gets the list after its call, so that the call is no fault of the client.
    session((tape) =>
      tape
        .edit('create slow', ({ params }) => delete params.task)
        .edit('create slow answer', (message) => (message.result = { content: [] }))
        .move('tools answer', 'create slow')
        .move('more tools', 'tools answer')
        .move('more tools answer', 'more tools'),
    ),
  ],
  'task-support': [session((tape) => tape.edit('dropped', ({ params }) => (params.task = {})))],
  'foreign-field': [
    session((tape) => tape.edit('get answer', ({ result }) => (result.ttlMs = 1))),
    stateless((tape) => tape.edit('get answer', ({ result }) => (result.ttl = 1))),
  ],
  'bad-timestamp': [
    session((tape) =>
      tape.edit('get answer', ({ result }) => (result.lastUpdatedAt = 'yesterday')),
    ),
    stateless((tape) => tape.edit('get answer', ({ result }) => (result.lastUpdatedAt = '1 May'))),
  ],
  'changed-creation': [
    session((tape) =>
      tape.edit('get answer', ({ result }) => (result.createdAt = '2026-08-01T00:00:01Z')),
    ),
    stateless((tape) =>
      tape.edit('task event', ({ params }) => (params.createdAt = '2026-08-01T00:00:01Z')),
    ),
  ],
  'excess-task-field': [
    stateless((tape) => tape.edit('create answer', ({ result }) => (result.requestState = 'x'))),
  ],
  'reused-task-id': [
    session((tape) =>
      tape
        .edit('create slow answer', ({ result }) => (result.task.taskId = 't1'))
        .drop('cancel task')
        .drop('cancel task answer'),
    ),
    stateless((tape) => tape.edit('create 2 answer', ({ result }) => (result.taskId = 'x1'))),
  ],
  'wrong-task': [
    session((tape) => tape.edit('get answer', ({ result }) => (result.taskId = 't9'))),
    stateless((tape) => tape.edit('get answer', ({ result }) => (result.taskId = 'x9'))),
  ],
  'not-working': [
    session((tape) =>
      tape.edit('create answer', ({ result }) => (result.task.status = 'input_required')),
    ),
  ],
  'bad-transition': [
    session((tape) => tape.edit('get at last answer', ({ result }) => (result.status = 'working'))),
    stateless((tape) =>
      tape.edit(
        'get done again answer',
        (message) => (message.result = { resultType: 'complete', ...extTask('x1', 'cancelled') }),
      ),
    ),
  ],
  'not-cancelled': [
    session((tape) => tape.edit('cancel task answer', ({ result }) => (result.status = 'working'))),
  ],
  'cancelled-terminal': [
    session((tape) =>
      tape
        .insert('get at last answer', 'client', {
          jsonrpc: '2.0',
          id: 'late',
          method: 'tasks/cancel',
          params: { taskId: 't1' },
        })
        .repeat('get at last answer', '', (message) => (message.id = 'late')),
    ),
  ],
  'wrong-status': [
    session((tape) =>
      tape.edit('get failed answer', ({ result }) => (result.status = 'completed')),
    ),
  ],
  'changed-result': [
    session((tape) =>
      tape.edit('result again answer', ({ result }) => (result.structuredContent.degrees = 4)),
    ),
    stateless((tape) =>
      tape.edit(
        'task event',
        ({ params }) => (params.result.content = [{ type: 'text', text: 'x' }]),
      ),
    ),
  ],
  'unlisted-task': [
    session((tape) => tape.edit('list tasks again answer', ({ result }) => (result.tasks = []))),
  ],
  'early-poll': [
    session((tape) =>
      tape
        .drop('ask for task')
        .drop('ask for task answer')
        .at('get again', tape.timeOf('get answer') + 100),
    ),
    stateless((tape) => tape.at('get asking', tape.timeOf('get answer') + 399)),
  ],
  'no-related-task': [
    session((tape) => tape.edit('result answer', ({ result }) => delete result._meta)),
    session((tape) => tape.edit('ask for task answer', ({ result }) => delete result._meta)),
  ],
  'needless-related-task': [
    session((tape) =>
      tape.edit(
        'get answer',
        ({ result }) => (result._meta = { [CORE.relatedTask]: { taskId: 't1' } }),
      ),
    ),
  ],
  'reused-input-key': [
    stateless((tape) =>
      tape.edit('task event', ({ params }) => {
        params.status = 'input_required';
        params.lastUpdatedAt = '2026-07-31T00:00:00Z';
        params.inputRequests = { q1: { method: 'roots/list' } };
        delete params.result;
      }),
    ),
  ],
  'repeated-input-response': [
    stateless((tape) =>
      tape
        .repeat('update', 'update answer', (message) => (message.id = 'u'))
        .repeat('update answer', '', (message) => (message.id = 'u')),
    ),
  ],
} as const satisfies Mutations;
