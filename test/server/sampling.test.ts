import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { toolUseProblem } from '../../runtime/peer/wire/sampling-messages.js';

const text = { type: 'text', text: 'hello' };
const use = (id: string) => ({ type: 'tool_use', id, name: 'add', input: {} });
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const user = (...content: object[]) => ({ role: 'user', content });

/** Turns of a conversation in which the model uses some tools at once, and each use gets its result. */
const turns = fc
  .array(
    fc.record({
      uses: fc.uniqueArray(fc.string({ minLength: 1 }), { maxLength: 3 }),
      says: fc.boolean(),
      isSingle: fc.boolean(),
    }),
    { maxLength: 5 },
  )
  .map((drawn) =>
    drawn.flatMap(({ uses, says, isSingle }) => {
      if (uses.length === 0) return [isSingle ? { role: 'user', content: text } : user(text)];
      return [
        assistant(...(says ? [text] : []), ...uses.map(use)),
        user(...[...uses].reverse().map(result)),
      ];
    }),
  );

describe('messages that a tool wants sampled', () => {
  it('may use tools when each use has its result', () => {
    fc.assert(fc.property(turns, (messages) => toolUseProblem({ messages }) === undefined));
  });

  it('may not lack one message of a use and its results', () => {
    fc.assert(
      fc.property(turns, fc.nat(), (messages, drawn) => {
        const places = messages.flatMap((message, at) =>
          JSON.stringify(message).includes('"tool_') ? [at] : [],
        );
        fc.pre(places.length > 0);
        const at = places[drawn % places.length];
        expect(toolUseProblem({ messages: messages.filter((_, index) => index !== at) })).toMatch(
          /tool_use|tool_result/,
        );
      }),
    );
  });

  it.each([
    ['a result beside a text', [assistant(use('1')), user(text, result('1'))], '/messages/1/'],
    ['one result of two', [assistant(use('1'), use('2')), user(result('2'))], '/messages/1/'],
    ['a result too many', [assistant(use('1')), user(result('1'), result('2'))], '/messages/1/'],
    ['a result of an earlier use', [user(text), user(result('1'))], '/messages/1/'],
    ['a use at the end', [user(text), assistant(use('1'))], '/messages/2'],
    ['a use before a text', [assistant(use('1')), user(text), user(result('1'))], '/messages/1/'],
  ])('may not hold %s', (_, messages, place) => {
    expect(toolUseProblem({ messages })).toContain(place);
  });

  it.each([{}, { messages: 'none' }, { messages: [null, 3, {}] }])(
    'are left to the schema when they are none: %j',
    (params) => {
      expect(toolUseProblem(params)).toBeUndefined();
    },
  );
});
