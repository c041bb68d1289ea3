/** The rows of methods are typed by the generated tables: `npm run types` refuses what they do not say. */

import { expect, expectTypeOf, it } from 'vitest';

import type { REQUESTS as NEWEST } from '../../generated/2026-07-28/protocol.js';
import type { RowsOf } from '../../runtime/peer/index.js';
import type { InputRequest } from '../../runtime/client/index.js';
import type { questionRows } from '../../runtime/client/questions.js';
import type { MethodsOf, ParamsIn, ResultIn } from '../../runtime/peer/wire/messages.js';
import type { RevisionVersion } from '../../runtime/protocol.js';
import type { Feature } from '../../runtime/server/endpoint.js';
import type { BaseRows, FeatureRows } from '../../runtime/server/session.js';

type Complete = ParamsIn<RevisionVersion, 'completion/complete'>;
type Call = ParamsIn<RevisionVersion, 'tools/call'>;

it('params have the members that every revision has, and are unknown where only some have one', () => {
  expectTypeOf<Complete['argument']['value']>().toEqualTypeOf<string>();
  expectTypeOf<Call['name']>().toEqualTypeOf<string>();
  expectTypeOf<Call['task']>().toEqualTypeOf<unknown>();
  expectTypeOf<ParamsIn<'2025-11-25', 'tools/call'>['task']>().not.toEqualTypeOf<unknown>();
  // A request without params has an empty object.
  expectTypeOf<ParamsIn<RevisionVersion, 'tools/list'>['cursor']>().toEqualTypeOf<
    string | undefined
  >();
});

it('a member that no revision has does not compile', () => {
  // @ts-expect-error -- it is `name`
  void (({ argument }: Complete) => String(argument.nam));
  // @ts-expect-error -- it is `uri`
  void (({ url }: ParamsIn<RevisionVersion, 'resources/read'>) => String(url));
  // @ts-expect-error -- a task has no such status
  const status: ResultIn<'2025-11-25', 'tasks/get'>['status'] = 'done';
  // @ts-expect-error -- `values` is a list
  const wrong: ResultIn<RevisionVersion, 'completion/complete'> = { completion: { values: 'a' } };
  expect([status, wrong]).toHaveLength(2);
});

it('a feature without a row that one of its revisions has does not compile', () => {
  const list = { answer: () => ({ prompts: [] }) };
  const get = { answer: () => ({ messages: [] }) };
  const whole: FeatureRows<'prompts'> = { 'prompts/list': list, 'prompts/get': get };
  // @ts-expect-error -- without prompts/get
  const half: FeatureRows<'prompts'> = { 'prompts/list': list };
  const feature: Feature<'prompts'> = {
    capabilities: { prompts: {} },
    // @ts-expect-error -- as a feature that a server declares
    rows: () => ({ 'prompts/list': list }),
  };
  // @ts-expect-error -- every server of a revision without sessions answers both
  const base: BaseRows<'ext'> = { 'server/discover': whole['prompts/list'] };
  expect([half, feature, base]).toHaveLength(3);
});

type Questions = ReturnType<typeof questionRows>;
type Asks<M extends InputRequest['method']> = Extract<InputRequest, { readonly method: M }>;

it('a client has a typed row for all that a session may ask it', () => {
  const always = { ping: { answer: () => ({}) } };
  const sampled = { role: 'user', content: { type: 'text', text: '' }, model: 'm' } as const;
  const whole: Questions = {
    ...always,
    'elicitation/create': {
      answer: ({ message }) => ({ action: 'accept', content: { message } }),
    },
    'roots/list': { answer: () => ({ roots: [] }) },
    'sampling/createMessage': {
      answer: ({ maxTokens }) => ({ ...sampled, model: maxTokens.toFixed() }),
    },
  };
  const { 'roots/list': roots, ...others } = whole;
  // @ts-expect-error -- without roots/list
  const half: Questions = others;
  // @ts-expect-error -- the result has roots
  const wrong: Questions['roots/list'] = { answer: () => ({ root: [] }) };
  // @ts-expect-error -- it is `message`
  void (({ params }: Asks<'elicitation/create'>) => String(params.text));
  expectTypeOf<Asks<'sampling/createMessage'>['params']['maxTokens']>().toEqualTypeOf<number>();
  expect([half, wrong, roots]).toHaveLength(3);
});

it('a revision that adds a method to a feature wants its row', () => {
  expectTypeOf<MethodsOf<'2025-11-25', 'server', 'tasks'>>().toEqualTypeOf<
    'tasks/cancel' | 'tasks/get' | 'tasks/list' | 'tasks/result'
  >();
  expectTypeOf<keyof RowsOf<unknown, 'server', 'resources', '2026-07-28'>>().toEqualTypeOf<
    'resources/list' | 'resources/read' | 'resources/templates/list'
  >();
  expectTypeOf<keyof FeatureRows<'resources'>>().toEqualTypeOf<
    Extract<keyof typeof NEWEST, `resources/${string}`> | `resources/${'un' | ''}subscribe`
  >();
});
