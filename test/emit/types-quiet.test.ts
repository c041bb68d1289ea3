import { afterEach, expect, it, vi } from 'vitest';
import { emitTypes } from '../../generator/emit/types/emit-types.js';
import { protocolOf } from '../support/protocol.js';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

it('types are emitted without output, also where VERBOSE is set', async () => {
  vi.stubEnv('VERBOSE', '1');
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const text = await emitTypes(protocolOf({ A: { type: 'object', properties: { b: {} } } }));
  expect(text).toContain('export type A');
  expect([info.mock.calls, log.mock.calls]).toEqual([[], []]);
  expect(process.env['VERBOSE']).toBe('1');
});

it('the comment of a type says that it is deprecated', async () => {
  const text = await emitTypes(
    protocolOf({
      A: { type: 'string', deprecated: true },
      B: { type: 'object', deprecated: true, description: 'Use A.', properties: { b: {} } },
      C: { type: ['string', 'null'], deprecated: true, description: 'Use B.' },
    }),
  );
  expect(text).toContain('/**\n * @deprecated\n */\nexport type A');
  expect(text).toContain('/**\n * @deprecated\n * Use A.\n */\nexport type B');
  expect(text).toContain('/**\n * @deprecated\n * Use B.\n */\nexport type C');
});
