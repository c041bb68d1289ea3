/* eslint-disable @typescript-eslint/no-unsafe-member-access -- mutations change messages of any shape */
import { META_KEYS as EXT } from '../../../generated/2026-07-28/protocol.js';
import { cancelled, messageIn, refuse, session, stateless } from './change.js';
import { batchTape, sessionTape } from './session.js';
import type { Mutations } from './change.js';

export const MESSAGES = {
  'bad-message': [
    session((tape) => tape.edit('call', ({ params }) => (params.name = 5))),
    stateless((tape) => tape.edit('tools answer', ({ result }) => delete result.cacheScope)),
  ],
  'bad-batch': [
    () =>
      `${sessionTape().text()}[{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}]\n`,
  ],
  'batched-initialize': [
    () =>
      batchTape()
        .text()
        .replace(/"message":(.*)\}/, '"message":[$1]}'),
    // The array is the first value of the recording.
    () =>
      batchTape()
        .text()
        .replace(/^.*"message":(.*)\}/, '[$1]'),
  ],
  'result-and-error': [
    session((tape) =>
      tape.edit('plain answer', (message) => (message.error = { code: 1, message: 'x' })),
    ),
  ],
  'reused-id': [
    session((tape) => tape.repeat('plain', 'plain answer')),
    stateless((tape) => tape.repeat('missing', 'missing')),
  ],
  'duplicate-answer': [session((tape) => tape.repeat('plain answer', 'plain answer'))],
  unasked: [
    session((tape) =>
      tape.repeat('plain answer', 'plain answer', (message) => (message.id = 'none')),
    ),
  ],
  'reserved-error-code': [
    stateless((tape) => tape.edit('missing answer', ({ error }) => (error.code = -32050))),
    stateless((tape) => tape.edit('missing answer', ({ error }) => (error.code = -32002))),
    stateless((tape) => tape.edit('missing answer', ({ error }) => (error.code = -32000))),
  ],
  'bad-meta-key': [
    session((tape) => tape.edit('call', ({ params }) => (params._meta['-x/y'] = 1))),
    stateless((tape) => tape.edit('tools answer', ({ result }) => (result._meta = { 'a b': 1 }))),
  ],
  'bad-trace-context': [
    stateless((tape) =>
      tape.edit('logged', ({ params }) => (params._meta.traceparent = '00-1-2-3')),
    ),
  ],
  'unknown-revision': [
    stateless((tape) =>
      tape
        .edit('missing', ({ params }) => (params._meta[EXT.protocolVersion] = '2030-01-01'))
        .drop('missing answer'),
    ),
  ],
  'early-request': [
    session((tape) =>
      tape.move('resources', 'initialize').move('resources answer', 'initialize answer'),
    ),
    session((tape) => tape.move('roots', 'initialize answer').move('roots answer', 'initialized')),
  ],
  'early-initialized': [session((tape) => tape.move('initialized', 'initialize'))],
  'no-initialized': [session((tape) => tape.drop('initialized'))],
  'wrong-versions': [
    stateless((tape) =>
      tape.edit('discover answer', ({ result }) => (result.supportedVersions = ['2030-01-01'])),
    ),
    stateless((tape) => refuse(tape, '2026-07-28', ['2026-07-28'])),
    stateless((tape) => refuse(tape, '2030-01-01', ['2029-01-01'])),
  ],
  'undeclared-capability': [
    session((tape) =>
      tape.edit('initialize answer', ({ result }) => delete result.capabilities.completions),
    ),
    session((tape) =>
      tape.edit('initialize', ({ params }) => (params.capabilities.elicitation = {})),
    ),
    session((tape) =>
      tape.edit('initialize', ({ params }) => delete params.capabilities.elicitation.form),
    ),
    session((tape) =>
      tape
        .edit('sample', ({ params }) => (params.includeContext = 'thisServer'))
        .edit('initialize', ({ params }) => delete params.capabilities.sampling.context),
    ),
    stateless((tape) =>
      tape.edit('round 1', ({ params }) => delete params._meta[EXT.clientCapabilities].roots),
    ),
    stateless((tape) =>
      tape.edit(
        'round 1 answer',
        ({ result }) =>
          (result.inputRequests.day.params = { mode: 'url', message: 'x', url: 'https://a.b' }),
      ),
    ),
  ],
  'bad-cancellation': [
    session((tape) => tape.edit('cancel', ({ params }) => (params.requestId = 'none'))),
    session((tape) => tape.edit('cancel', ({ params }) => (params.requestId = 1))),
    session((tape) => {
      const { id } = messageIn(tape, 'create');
      return tape.insert('create answer', 'client', cancelled(id));
    }),
  ],
  'server-cancellation': [
    stateless((tape) => tape.insert('round 1', 'server', cancelled(messageIn(tape, 'round 1').id))),
  ],
  'reused-token': [
    session((tape) => tape.edit('get', ({ params }) => (params._meta = { progressToken: 't' }))),
  ],
  'unknown-token': [
    session((tape) => tape.edit('progress 2', ({ params }) => (params.progressToken = 'none'))),
  ],
  'late-progress': [
    session((tape) => tape.move('progress 2', 'call answer')),
    session((tape) => tape.move('task progress', 'get at last')),
    stateless((tape) => tape.move('task progress', 'get done again')),
  ],
  'stuck-progress': [
    session((tape) => tape.edit('progress 2', ({ params }) => (params.progress = 1))),
  ],
  'unknown-cursor': [
    session((tape) => tape.edit('more tools', ({ params }) => (params.cursor = 'page-3'))),
  ],
  'repeated-cursor': [
    session((tape) =>
      tape.edit('more tools answer', ({ result }) => (result.nextCursor = 'page-2')),
    ),
  ],
  'mixed-cache-scope': [
    stateless((tape) =>
      tape.edit('more resources answer', ({ result }) => (result.cacheScope = 'private')),
    ),
  ],
} as const satisfies Mutations;
