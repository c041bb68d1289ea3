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
    fc.assert(
      fc.property(turns, (messages) => {
        expect(toolUseProblem({ messages })).toBeUndefined();
      }),
    );
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

  const MIXED = 'a message with a tool_result holds no other content';
  const lacks = (id: string): string => `has no tool_result for "${id}"`;
  const foreign = (id: string): string => `"${id}" is no tool_use of the message before`;
  it.each([
    ['a result beside a text', [assistant(use('1')), user(text, result('1'))], 1, MIXED],
    ['a text beside a result', [assistant(use('1')), user(result('1'), text)], 1, MIXED],
    ['one result of two', [assistant(use('1'), use('2')), user(result('2'))], 1, lacks('1')],
    ['a result too many', [assistant(use('1')), user(result('1'), result('2'))], 1, foreign('2')],
    ['a result of an earlier use', [user(text), user(result('1'))], 1, foreign('1')],
    ['a use before a text', [assistant(use('1')), user(text), user(result('1'))], 1, lacks('1')],
    ['a single result first', [{ role: 'user', content: result('1') }], 0, foreign('1')],
  ])('may not hold %s', (_, messages, at, problem) => {
    expect(toolUseProblem({ messages })).toBe(`/messages/${at}/content: ${problem}`);
  });

  it('may not end with a use', () => {
    expect(toolUseProblem({ messages: [user(text), assistant(use('1'))] })).toBe(
      '/messages/2: missing, the last message has a tool_use without a result',
    );
  });

  it.each([{}, { messages: 'none' }, { messages: [null, 3, {}] }])(
    'are left to the schema when they are none: %j',
    (params) => {
      expect(toolUseProblem(params)).toBeUndefined();
    },
  );
});
