import type { Rule } from './rule.js';
import { STATELESS } from './scopes.js';

/** Rules of the revisions without sessions: what requests carry, rounds of questions, subscriptions. */
export const WITHOUT_SESSIONS = {
  'no-client-info': {
    severity: 'warning',
    requirements: ['BASE-VER-3'],
    scope: STATELESS,
    rule: 'The client gives its name and version in the `_meta` of each request.',
  },
  'wrong-result-type': {
    severity: 'error',
    requirements: ['BASE-MRTR-1', 'BASE-MSG-7', 'EXT-NEW-1', 'EXT-NEW-2'],
    scope: STATELESS,
    rule: 'The result type is `complete`; for tools/call, prompts/get and resources/read also `input_required`; for tools/call also `task`, with the tasks extension. Other types need another extension.',
  },
  'empty-input-request': {
    severity: 'error',
    requirements: ['BASE-MRTR-2'],
    scope: STATELESS,
    rule: 'An `input_required` result has `inputRequests`, `requestState` or both.',
  },
  'wrong-request-state': {
    severity: 'error',
    requirements: ['BASE-MRTR-3'],
    scope: STATELESS,
    rule: 'A repeated request has the `requestState` of an `input_required` result to the same request, unchanged, and none where the result had none.',
  },
  'missing-input-response': {
    severity: 'error',
    requirements: ['BASE-MRTR-4'],
    scope: STATELESS,
    rule: 'A repeated request has a response for each key of the `inputRequests` that it answers.',
  },
  'repeated-request-id': {
    severity: 'error',
    requirements: ['BASE-MRTR-5'],
    scope: STATELESS,
    rule: 'A repeated request has another id than the request that got the `input_required` result.',
  },
  'no-subscription-id': {
    severity: 'error',
    requirements: ['BASE-SUB-1', 'EXT-NOT-1'],
    scope: STATELESS,
    rule: 'A notification on a listen stream carries the subscription id in its `_meta`.',
  },
  'wrong-subscription-id': {
    severity: 'error',
    requirements: ['BASE-SUB-2'],
    scope: STATELESS,
    rule: 'The subscription id is the id of a `subscriptions/listen` request. It is a warning for a notification, because that request may precede the recording.',
  },
  'early-notification': {
    severity: 'error',
    requirements: ['BASE-SUB-3'],
    scope: STATELESS,
    rule: 'The acknowledgement is the first message of a subscription.',
  },
  'no-acknowledgement': {
    severity: 'error',
    requirements: ['BASE-SUB-3'],
    scope: STATELESS,
    rule: 'A subscription is acknowledged before its result.',
  },
  'excess-acknowledgement': {
    severity: 'error',
    requirements: ['BASE-SUB-4', 'EXT-NOT-1'],
    scope: STATELESS,
    rule: 'The acknowledgement contains nothing that the client did not request.',
  },
  'unrequested-notification': {
    severity: 'error',
    requirements: ['BASE-SUB-5', 'BASE-LOG-3', 'EXT-NOT-2'],
    scope: STATELESS,
    rule: 'A listen stream carries only notifications that the client requested: no progress, no log messages, no other tasks, and no updates of resources that are not at or below a requested address.',
  },
} as const satisfies Record<string, Rule>;
