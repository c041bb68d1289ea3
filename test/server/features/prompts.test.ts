import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

import { definePrompt } from '../../../runtime/server/prompt.js';
import { CORE, EXT, OLDER, VERSIONS, wireOf } from './wire.js';

const review = definePrompt({
  name: 'review',
  title: 'Review',
  description: 'Reviews code.',
  args: z.object({
    code: z.string().min(2).describe('What to review.').meta({ title: 'Code' }),
    lines: z.coerce.number().int().optional(),
    tone: z.enum(['kind', 'strict']).default('kind'),
  }),
  icons: [{ src: 'https://example.com/icon.png' }],
  meta: { 'example.com/key': 1 },
  get({ args, caller, request }) {
    expectTypeOf(args).toEqualTypeOf<{
      code: string;
      lines?: number | undefined;
      tone: 'kind' | 'strict';
    }>();
    return JSON.stringify([args, caller ?? null, request.method]);
  },
});

const plain = definePrompt({
  name: 'plain',
  get: () => [{ role: 'assistant', content: { type: 'text', text: 'Yes?' } }],
});

const whole = definePrompt({
  name: 'whole',
  get: () => ({
    description: 'For today.',
    messages: [{ role: 'user', content: { type: 'text', text: 'Go' } }],
  }),
});

const linking = definePrompt({
  name: 'linking',
  get: () => [
    { role: 'user', content: { type: 'resource_link', uri: 'x:y', name: 'y' } },
    { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } },
    { role: 'user', content: { type: 'text', text: 'As it is' } },
  ],
});

const asking = definePrompt({
  name: 'asking',
  async get({ sample }) {
    const messages = [{ role: 'user', content: { type: 'text', text: 'Hm?' } }];
    const { model } = await sample({ messages, maxTokens: 5 }, { key: 'model' });
    return `From ${String(model)}`;
  },
});

const options = { prompts: [review, plain, whole, linking, asking] };
const says = (text: string) => ({ role: 'user', content: { type: 'text', text } });

describe.each(VERSIONS)('in %s', (version) => {
  it('prompts are declared, and listed with their arguments', async () => {
    const { capabilities, request } = await wireOf(version, options);
    expect(capabilities['prompts']).toEqual({ listChanged: true });
    const { prompts } = await request('prompts/list');
    const hasTitles = version >= '2025-06-18';
    expect((prompts as unknown[]).slice(0, 2)).toEqual([
      {
        name: 'review',
        description: 'Reviews code.',
        arguments: [
          {
            name: 'code',
            description: 'What to review.',
            required: true,
            ...(hasTitles && { title: 'Code' }),
          },
          { name: 'lines' },
          { name: 'tone' },
        ],
        ...(hasTitles && { title: 'Review', _meta: { 'example.com/key': 1 } }),
        ...(version >= '2025-11-25' && { icons: [{ src: 'https://example.com/icon.png' }] }),
      },
      { name: 'plain' },
    ]);
  });

  it('a prompt is a text, messages, or the whole result', async () => {
    const { request } = await wireOf(version, options);
    const args = { code: 'x = 1', lines: '3' };
    const parsed = { code: 'x = 1', lines: 3, tone: 'kind' };
    expect(await request('prompts/get', { name: 'review', arguments: args })).toMatchObject({
      messages: [says(JSON.stringify([parsed, null, 'prompts/get']))],
    });
    expect((await request('prompts/get', { name: 'plain' }))['messages']).toEqual([
      { role: 'assistant', content: { type: 'text', text: 'Yes?' } },
    ]);
    expect(await request('prompts/get', { name: 'whole' })).toMatchObject({
      description: 'For today.',
      messages: [says('Go')],
    });
  });

  it('each invalid argument is named, and so is an unknown prompt', async () => {
    const { request } = await wireOf(version, options);
    const wrong = { code: 'x', lines: 'many', tone: 'rude' };
    await expect(
      request('prompts/get', { name: 'review', arguments: wrong }),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(
        /^Invalid arguments for prompt review: \/code: .*; \/lines: .*; \/tone: /,
      ) as string,
    });
    await expect(request('prompts/get', { name: 'review' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('/code: ') as string,
    });
    for (const name of ['absent', '__proto__', 'constructor']) {
      await expect(request('prompts/get', { name })).rejects.toMatchObject({
        code: -32602,
        message: `Unknown prompt "${name}"`,
      });
    }
  });

  it('a server without prompts declares and serves none', async () => {
    const { capabilities, request } = await wireOf(version);
    expect(capabilities).not.toHaveProperty('prompts');
    await expect(request('prompts/list')).rejects.toMatchObject({ code: -32601 });
  });
});

it.each(VERSIONS)('in %s, blocks that the revision does not have are text', async (version) => {
  const { request } = await wireOf(version, options);
  const { messages } = await request('prompts/get', { name: 'linking' });
  const types = (messages as { content: { type: string } }[]).map(({ content }) => content.type);
  const [first, second] = OLDER;
  expect(types).toEqual([
    version === first || version === second ? 'text' : 'resource_link',
    version === first ? 'text' : 'audio',
    'text',
  ]);
});

describe('a prompt that asks the client', () => {
  const answer = { role: 'assistant', content: { type: 'text', text: 'Ah' }, model: 'm' };

  it('asks in a session', async () => {
    const { request } = await wireOf(CORE, options, {
      capabilities: { sampling: {} },
      answers: { 'sampling/createMessage': () => answer },
    });
    const { messages } = await request('prompts/get', { name: 'asking' });
    expect(messages).toEqual([says('From m')]);
  });

  it('asks without a session', async () => {
    const { request } = await wireOf(EXT, options, { capabilities: { sampling: {} } });
    const { requestState } = await request('prompts/get', { name: 'asking' });
    const inputResponses = { model: answer };
    const { messages } = await request('prompts/get', {
      name: 'asking',
      requestState,
      inputResponses,
    });
    expect(messages).toEqual([says('From m')]);
    const other = { name: 'review', arguments: { code: 'xy' }, requestState, inputResponses };
    await request('prompts/get', other).catch((error: unknown) =>
      expect(error).toMatchObject({ code: -32602 }),
    );
  });
});
