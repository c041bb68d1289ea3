import { describe, expect, it } from 'vitest';
import { isRpcError, messageOf, TaskError, toolErrorResult } from '../../runtime/tasks/index.js';
import { failed, noHandler, settleReturned, settleThrown } from '../../runtime/tasks/outcome.js';
import { sampleTask } from '../../runtime/testing/testkit/index.js';

const LIMITS = { resultBytes: 200, statusMessageChars: 10 };
const CORE = sampleTask(1, { method: 'tools/call', dialect: 'core' });
const EXT = { ...CORE, dialect: 'ext' } as const;
const OTHER = { ...CORE, method: 'sampling/createMessage' };

const text = (value: string) => ({ type: 'text', text: value });
const hostile = {
  toString() {
    throw new Error('hostile');
  },
};

describe('what a handler returned', () => {
  it('ends the task with exactly that result', () => {
    expect(settleReturned(CORE, { content: [], n: 1 }, LIMITS)).toEqual({
      status: 'completed',
      outcome: '{"result":{"content":[],"n":1}}',
    });
  });

  it.each([
    [CORE, 'failed'],
    [EXT, 'completed'],
  ] as const)('with `isError` has the first text as its message, cut', (task, status) => {
    const content = [null, 7, { type: 'image' }, text('0123456789abc'), text('later')];
    expect(settleReturned(task, { isError: true, content }, LIMITS)).toMatchObject({
      status,
      statusMessage: '0123456789',
    });
  });

  it.each<[object]>([
    [{ isError: true }],
    [{ isError: true, content: 'x' }],
    [{ isError: true, content: [7] }],
  ])('with `isError` and no text has a message all the same: %j', (result) => {
    const limits = { ...LIMITS, statusMessageChars: 100 };
    expect(settleReturned(CORE, result, limits).statusMessage).toBe('The tool reported an error');
  });

  it('with `isError` is no failure of another request, nor one that says so deeper', () => {
    expect(settleReturned(OTHER, { isError: true }, LIMITS).status).toBe('completed');
    expect(settleReturned(CORE, { inner: { isError: true } }, LIMITS).status).toBe('completed');
    expect(settleReturned(CORE, { isError: false }, LIMITS).status).toBe('completed');
  });

  it.each<[unknown, string]>([
    [undefined, 'The result is not JSON: undefined is not JSON'],
    [() => 0, 'The result is not JSON: function is not JSON'],
    [{ n: 1n }, 'The result is not JSON: /n is a BigInt, which JSON does not have'],
    ['text', 'The result is not an object'],
    [[], 'The result is not an object'],
    [null, 'The result is not an object'],
    [{ a: 'x'.repeat(193) }, 'The result is too large: 201 bytes, limit 200'],
  ])('that cannot be sent fails the task: %#', (value, message) => {
    const limits = { ...LIMITS, statusMessageChars: 100 };
    const { status, outcome, statusMessage } = settleReturned(CORE, value, limits);
    expect([status, statusMessage]).toEqual(['failed', message]);
    expect(JSON.parse(outcome ?? '')).toEqual({
      error: { code: -32603, message, data: { reason: 'invalid_result' } },
    });
  });

  it('may be as large as the limit', () => {
    expect(settleReturned(CORE, { a: 'x'.repeat(192) }, LIMITS).status).toBe('completed');
  });
});

describe('what a handler threw', () => {
  const error = { code: -5, message: '0123456789abc', data: { a: 1 } };

  it('is the outcome where it is a JSON-RPC error, with its data', () => {
    for (const task of [CORE, EXT, OTHER]) {
      expect(settleThrown(task, error, LIMITS)).toEqual({
        status: 'failed',
        outcome: '{"error":{"code":-5,"message":"0123456789abc","data":{"a":1}}}',
        statusMessage: '0123456789',
      });
    }
  });

  it('is the error of a tool, in the shape of the dialect, or else an internal error', () => {
    const thrown = new Error('Boom');
    const result = { content: [text('Boom')], isError: true };
    expect(settleThrown(CORE, thrown, LIMITS)).toEqual({
      status: 'failed',
      outcome: JSON.stringify({ result }),
      statusMessage: 'Boom',
    });
    expect(settleThrown(EXT, thrown, LIMITS)).toEqual({
      status: 'completed',
      outcome: JSON.stringify({ result: { resultType: 'complete', ...result } }),
      statusMessage: 'Boom',
    });
    expect(settleThrown(OTHER, thrown, LIMITS)).toEqual({
      status: 'failed',
      outcome: '{"error":{"code":-32603,"message":"Boom"}}',
      statusMessage: 'Boom',
    });
    expect(toolErrorResult('core', 7)).toEqual({ content: [text('7')], isError: true });
  });

  it('keeps its message up to the limit of results, and its data only as far as they fit', () => {
    const { outcome } = failed(
      { code: -5, message: 'x'.repeat(300), data: 'y'.repeat(199) },
      LIMITS,
    );
    expect(JSON.parse(outcome ?? '')).toEqual({ error: { code: -5, message: 'x'.repeat(200) } });
    const fits = failed({ code: -5, message: '', data: 'y'.repeat(198) }, LIMITS);
    expect(JSON.parse(fits.outcome ?? '')).toMatchObject({ error: { data: 'y'.repeat(198) } });
    const noJson = failed({ code: -5, message: '', data: { n: 1n } }, LIMITS);
    expect(noJson.outcome).toBe('{"error":{"code":-5,"message":""}}');
    const none = failed({ code: -5, message: '', data: null }, LIMITS);
    expect(none.outcome).toBe('{"error":{"code":-5,"message":"","data":null}}');
  });
});

it.each<[unknown, boolean]>([
  [{ code: -1, message: '' }, true],
  [Object.assign(new Error('x'), { code: -32603 }), true],
  [new TaskError('limit', 'x'), true],
  [{ code: 0, message: 'x' }, false],
  [{ code: 1, message: 'x' }, false],
  [{ code: -1.5, message: 'x' }, false],
  [{ code: '-1', message: 'x' }, false],
  [{ code: -1 }, false],
  [{ code: -1, message: 7 }, false],
  [null, false],
  [undefined, false],
  ['text', false],
  [
    {
      get code() {
        throw new Error('hostile');
      },
    },
    false,
  ],
])('a JSON-RPC error is told from others: %#', (value, expected) => {
  expect(isRpcError(value)).toBe(expected);
});

it.each<[unknown, string]>([
  [new Error('why'), 'why'],
  [new Error(''), ''],
  ['text', 'text'],
  [null, 'null'],
  [hostile, 'Unknown error'],
])('anything that was thrown has a text: %#', (thrown, expected) => {
  expect(messageOf(thrown)).toBe(expected);
});

it('a task that nothing runs names its tool, or else its method', () => {
  expect(noHandler({ ...CORE, tool: 'resize' })).toMatchObject({
    reason: 'no_handler',
    message: 'Nothing here runs resize',
  });
  const { tool: _, ...plain } = OTHER;
  expect(noHandler(plain).message).toBe('Nothing here runs sampling/createMessage');
});
