import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../generator/diagnostics/index.js';
import { parseLock, printLock } from '../../contracts/lock/index.js';
import type { Lock, Sent } from '../../contracts/lock/index.js';

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<never>;

function entries(key: string): fc.Arbitrary<Sent[]> {
  return fc
    .uniqueArray(fc.tuple(fc.string(), fc.dictionary(fc.string(), json)), {
      selector: ([name]) => name,
      maxLength: 5,
    })
    .map((pairs) => pairs.map(([name, more]) => ({ ...more, [key]: name })));
}

const locks: fc.Arbitrary<Lock> = fc.record({
  lockVersion: fc.constant(1 as const),
  revision: fc.constant('2025-11-25'),
  clientCapabilities: fc.dictionary(fc.string(), fc.dictionary(fc.string(), json)),
  server: fc.dictionary(fc.string(), json),
  instructions: fc.string(),
  capabilities: fc.dictionary(fc.string(), json),
  tools: entries('name'),
  prompts: entries('name'),
  resources: entries('uri'),
  resourceTemplates: entries('uriTemplate'),
});

describe('the lock file', () => {
  it('is read as it was printed', () => {
    fc.assert(
      fc.property(locks, (lock) => {
        const text = printLock(lock);
        expect(printLock(parseLock(text, 'mcp.lock.json'))).toBe(text);
      }),
    );
  });

  it('has the same text in whatever order a server lists its tools', () => {
    fc.assert(
      fc.property(locks, (lock) => {
        expect(printLock({ ...lock, tools: lock.tools.toReversed() })).toBe(printLock(lock));
      }),
    );
  });

  const whole = {
    lockVersion: 1,
    revision: 'r',
    capabilities: {},
    tools: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };

  it.each([
    ['{', undefined, 'The file is not JSON'],
    ['{}', undefined, 'it has no "lockVersion"'],
    ['{"lockVersion":2}', '/lockVersion', 'this program reads version 1'],
    [JSON.stringify({ ...whole, tools: {} }), '/tools', 'Must be a list'],
    [JSON.stringify({ ...whole, tools: [{}] }), '/tools/0', 'Must be an object with "name"'],
    [
      JSON.stringify({ ...whole, tools: [{ name: 'a' }, { name: 'a' }] }),
      '/tools/1/name',
      'the same value',
    ],
    [
      JSON.stringify({ ...whole, clientCapabilities: { roots: null } }),
      '/clientCapabilities',
      'Must be an object of objects',
    ],
    [JSON.stringify({ ...whole, revision: 1 }), '/revision', 'Must be a text'],
  ])('is refused as %s', (text, pointer, message) => {
    expect(() => parseLock(text, 'mcp.lock.json')).toThrow(DiagnosticError);
    try {
      parseLock(text, 'mcp.lock.json');
    } catch (error) {
      const [first] = (error as DiagnosticError).diagnostics;
      expect(first).toMatchObject({
        source: 'mcp.lock.json',
        ...(pointer !== undefined && { pointer }),
      });
      expect(first?.message).toContain(message);
    }
  });
});
