import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { definePrompt } from '../../../runtime/server/prompt.js';
import { defineResource, defineResourceTemplate } from '../../../runtime/server/resource.js';
import { VERSIONS, wireOf } from './wire.js';

const CITIES = ['Riga', 'Rome', 'Oslo'];

const weather = definePrompt({
  name: 'weather',
  args: z.object({ country: z.string(), city: z.string(), many: z.string().optional() }),
  complete: {
    city: (value, { args, caller, request }) => {
      const all = args.country === 'NO' ? ['Oslo'] : CITIES;
      void [caller, request.method];
      return all.filter((each) => each.startsWith(value));
    },
    many: (value) => Promise.resolve(Array.from({ length: 250 }, (_, n) => `${value}${n}`)),
  },
  get: () => 'Sunny',
});

const orders = defineResourceTemplate({
  uriTemplate: 'shop://{year}/{id}',
  name: 'orders',
  complete: {
    id: (value, { variables }) => ({
      values: [`${variables.year}-${value}`],
      total: 9,
      hasMore: true,
    }),
  },
  read: () => ({ text: '' }),
});

const fixed = defineResource({ uri: 'x:fixed', name: 'fixed', read: () => ({ text: '' }) });

describe.each(VERSIONS)('in %s', (version) => {
  const completed = async (ref: object, argument: object, context?: object) => {
    const { request } = await wireOf(version, { prompts: [weather], resources: [orders, fixed] });
    const params = { ref, argument, ...(context && { context }) };
    return (await request('completion/complete', params))['completion'];
  };
  const prompt = { type: 'ref/prompt', name: 'weather' };
  const template = { type: 'ref/resource', uri: 'shop://{year}/{id}' };

  it('arguments of prompts are completed, with those that are settled', async () => {
    expect(await completed(prompt, { name: 'city', value: 'R' })).toEqual({
      values: ['Riga', 'Rome'],
      total: 2,
      hasMore: false,
    });
    const context = { arguments: { country: 'NO' } };
    expect(await completed(prompt, { name: 'city', value: '' }, context)).toMatchObject({
      values: ['Oslo'],
    });
  });

  it('variables of templates are completed', async () => {
    const context = { arguments: { year: '2026' } };
    expect(await completed(template, { name: 'id', value: '7' }, context)).toEqual({
      values: ['2026-7'],
      total: 9,
      hasMore: true,
    });
  });

  it('there are at most 100 values, and the total says how many more', async () => {
    const { values, ...rest } = (await completed(prompt, { name: 'many', value: 'v' })) as {
      values: string[];
    };
    expect(values).toHaveLength(100);
    expect(values.at(-1)).toBe('v99');
    expect(rest).toEqual({ total: 250, hasMore: true });
  });

  it('an argument that is not completed has no values', async () => {
    expect(await completed(prompt, { name: 'country', value: 'N' })).toMatchObject({
      values: [],
      hasMore: false,
    });
  });

  it.each<[string, object, string]>([
    ['prompt', { type: 'ref/prompt', name: 'absent' }, 'city'],
    ['prompt that objects inherit', { type: 'ref/prompt', name: '__proto__' }, 'city'],
    ['argument', prompt, 'absent'],
    ['argument that objects inherit', prompt, 'constructor'],
    ['template', { type: 'ref/resource', uri: 'shop://{other}' }, 'id'],
    ['variable', template, 'absent'],
  ])('an unknown %s is refused', async (_, ref, name) => {
    await expect(completed(ref, { name, value: '' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^Unknown /) as string,
    });
  });

  it('completions are declared only where something completes', async () => {
    const some = await wireOf(version, { resources: [orders] });
    // The oldest revision has the method, and no capability for it.
    expect(some.capabilities['completions']).toEqual(version === '2024-11-05' ? undefined : {});
    const plain = definePrompt({ name: 'p', args: z.object({ a: z.string() }), get: () => '' });
    const none = await wireOf(version, { prompts: [plain], resources: [fixed] });
    expect(none.capabilities).not.toHaveProperty('completions');
    const params = { ref: { type: 'ref/prompt', name: 'p' }, argument: { name: 'a', value: '' } };
    await expect(none.request('completion/complete', params)).rejects.toMatchObject({
      code: -32601,
    });
  });
});
