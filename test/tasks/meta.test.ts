import { describe, expect, it } from 'vitest';
import { IDEMPOTENCY_META_KEY, type JsonObject, TaskError } from '../../runtime/tasks/index.js';
import { overLimit, TASK_ERROR_CODES, taskError, unknownTask } from '../../runtime/tasks/errors.js';
import { digest } from '../../runtime/tasks/json.js';
import { readMeta } from '../../runtime/tasks/admission.js';

describe('the metadata of a request', () => {
  const read = (meta: JsonObject) => readMeta(meta, () => ['tools/call', 'it', {}]);
  const refused = (meta: JsonObject): unknown => {
    try {
      return read(meta);
    } catch (error) {
      return error;
    }
  };

  it.each<[unknown, object]>([
    ['a', { progressToken: 'a' }],
    ['', { progressToken: '' }],
    [0, { progressToken: 0 }],
    ['x'.repeat(1_000), { progressToken: 'x'.repeat(1_000) }],
    [true, {}],
    [null, {}],
    [{}, {}],
  ])('has the progress token where that is a text or a number: %j', (progressToken, expected) => {
    expect(read({ progressToken })).toEqual(expected);
  });

  it('has an idempotency key of 1 to 255 characters, with the digest of the request', () => {
    for (const key of ['k', 'x'.repeat(255)]) {
      expect(read({ [IDEMPOTENCY_META_KEY]: key })).toEqual({
        idempotency: { key, digest: digest(['tools/call', 'it', {}]) },
      });
    }
    for (const key of ['', 'x'.repeat(256), 7, null]) {
      expect(refused({ [IDEMPOTENCY_META_KEY]: key })).toMatchObject({
        reason: 'invalid_params',
        message: 'mcp-codegen/idempotency-key must be a string of 1 to 255 characters',
      });
    }
  });

  it('may not have a progress token of more than 1,000 characters', () => {
    expect(refused({ progressToken: 'x'.repeat(1_001) })).toMatchObject({
      reason: 'invalid_params',
      message: 'progressToken must have at most 1000 characters',
    });
  });

  it('is read without a digest where it has no key', () => {
    const request = (): never => {
      throw new Error('made');
    };
    expect(readMeta({}, request)).toEqual({});
  });

  it('may not have a key for a request that is nested too deeply', () => {
    let deep: unknown = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(() => readMeta({ [IDEMPOTENCY_META_KEY]: 'k' }, () => deep)).toThrow(
      'The arguments are nested too deeply to be compared',
    );
  });
});

describe('an error of the engine', () => {
  it('has the code of its reason, and its details without another reason', () => {
    for (const [reason, code] of Object.entries(TASK_ERROR_CODES)) {
      const error = taskError(reason as keyof typeof TASK_ERROR_CODES, 'why', {
        a: 1,
        reason: 'x',
      });
      expect(error).toBeInstanceOf(TaskError);
      expect(error).toMatchObject({ name: 'TaskError', message: 'why', reason, code });
      expect(error.data).toEqual({ a: 1, reason });
    }
    expect(taskError('ended', 'why').data).toEqual({ reason: 'ended' });
  });

  it('has the codes of JSON-RPC, and that of HTTP for limits', () => {
    expect(TASK_ERROR_CODES).toEqual({
      ...{ unknown_task: -32602, invalid_cursor: -32602, invalid_ttl: -32602 },
      ...{ invalid_params: -32602, ended: -32602, idempotency_conflict: -32602, limit: 429 },
      ...{ invalid_result: -32603, interrupted: -32603, no_handler: -32603 },
      ...{ not_running: -32603, closed: -32603, internal: -32603, stale_arguments: -32603 },
    });
    expect(unknownTask()).toMatchObject({
      reason: 'unknown_task',
      message: 'Unknown or expired task',
    });
    expect(overLimit('live', 7, 500)).toMatchObject({
      message: 'Limit live (7) reached; retry in 500 ms',
      data: { limit: 'live', max: 7, retryAfterMs: 500, reason: 'limit' },
    });
  });

  it('takes no stack trace, and leaves those of others', () => {
    const depth = Error.stackTraceLimit;
    expect(taskError('ended', 'why').stack).not.toContain('\n');
    expect(Error.stackTraceLimit).toBe(depth);
    expect(new Error('other').stack).toContain('meta.test');
    const cause = new Error('cause');
    expect(new TaskError('internal', 'why', {}, { cause }).cause).toBe(cause);
  });
});
