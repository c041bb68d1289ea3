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
