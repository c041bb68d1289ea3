import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { validateResultOf as v20241105 } from '../../generated/2024-11-05/validators.js';
import { validateResultOf as v20250326 } from '../../generated/2025-03-26/validators.js';
import { validateResultOf as v20250618 } from '../../generated/2025-06-18/validators.js';
import { validateResultOf as v20251125 } from '../../generated/2025-11-25/validators.js';
import { validateResultOf as v20260728 } from '../../generated/2026-07-28/validators.js';
import { matchesBase64 } from '../../generated/support/byte.js';
import { mediaFault } from '../../runtime/peer/wire/revision.js';
import { definePrompt, defineResource, defineTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { ended, reaches, startCore, startExt } from './steps.js';
import { EVERY_ASK, legacy, modern, rig } from './support.js';
import { sized } from '../support/size.js';

/** Clients refuse a whole message when the data of one image in it is not base64. */

const BAD = 'data:image/png;base64,AAAA';
const image = (data: string) => ({ type: 'image', data, mimeType: 'image/png' });
const blobs = (blob: string) => [{ uri: 'test://blob', blob }];

describe('base64', () => {
  const unit = fc.constantFrom(...'AZaz09+/=-_ \n\t\u00a0!'.split(''));
  const isRead = (text: string): boolean => {
    try {
      atob(text);
      return true;
    } catch {
      return false;
    }
  };

  it('BASE-DATA-1 is what clients read, who decode it with atob', () => {
    const text = fc.oneof(fc.string({ unit, maxLength: 12 }), fc.string());
    const long = fc
      .tuple(fc.uint8Array({ minLength: 90, maxLength: 200 }), fc.nat(), fc.string({ unit }))
      .map(([bytes, at, inside]) => {
        const encoded = Buffer.from(bytes).toString('base64');
        const place = at % encoded.length;
        return `${encoded.slice(0, place)}${inside}${encoded.slice(place)}`;
      });
    fc.assert(
      fc.property(fc.oneof(text, long), (given) => {
        expect(matchesBase64(given)).toBe(isRead(given));
      }),
      { numRuns: sized(3_000) },
    );
  });
});

describe('data that is not base64 in what a server sends', () => {
  const tool = defineTool({
    name: 'draws',
    description: 'Draws.',
    input: z.object({ data: z.string() }),
    taskSupport: 'optional',
    run: ({ args: { data } }) => ({
      content: [{ type: 'text', text: BAD }, image(data)] as never,
      structuredContent: { content: [image(BAD)] },
    }),
  });
  const samples = defineTool({
    name: 'samples',
    description: 'Samples.',
    input: z.object({}),
    asks: ['sampling'],
    retryable: true,
    async run({ task }) {
      await task.sample({ maxTokens: 1, messages: [{ role: 'user', content: image(BAD) }] });
      return 'sampled';
    },
  });
  const resource = defineResource({
    uri: 'test://blob',
    name: 'blob',
    read: () => ({ blob: BAD }),
  });
  const prompt = definePrompt({
    name: 'shows',
    get: () => [{ role: 'user', content: image(BAD) as never }],
  });
  const served = () =>
    rig({
      tools: [tool, samples],
      resources: [resource],
      prompts: [prompt],
    });
  const refusal = (place: string) => ({
    code: -32603,
    message: expect.stringContaining(`${place} must be base64 text`) as string,
  });
  const capabilities = EVERY_ASK;

  it.each([
    ['tools/call', { name: 'draws', arguments: { data: BAD } }, '/content/1/data'],
    ['tools/call', { name: 'samples' }, '/messages/0/content/data'],
    ['resources/read', { uri: 'test://blob' }, '/contents/0/blob'],
    ['prompts/get', { name: 'shows' }, '/messages/0/content/data'],
  ])('BASE-DATA-1 is refused with its place: %s %j', async (method, params, place) => {
    const rigged = await served();
    for (const revision of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const client = await legacy(rigged, { revision, capabilities });
      expect((await client.request(method, params)).error).toMatchObject(refusal(place));
    }
    expect((await modern(rigged, method, params, { capabilities })).error).toMatchObject(
      refusal(place),
    );
  });

  it('BASE-DATA-1 fails a task, whose error names the tool and the place', async () => {
    const rigged = await served();
    const client = await legacy(rigged);
    const { taskId } = await startCore(client, 'draws', { data: BAD });
    expect((await ended(client, taskId))['status']).toBe('failed');
    const error = refusal('Tool draws returned an invalid result: /content/1/data');
    expect((await client.request('tasks/result', { taskId })).error).toMatchObject(error);
    const id = await startExt(rigged, 'draws', { data: BAD });
    expect(await reaches(rigged, id, 'failed')).toMatchObject({ error });
  });

  it('is not looked for in texts and in structured content', async () => {
    const { result } = await modern(
      await served(),
      'tools/call',
      {
        ...{ name: 'draws', arguments: { data: 'AA==\n' } },
      },
      { capabilities },
    );
    expect(result).toMatchObject({ content: [{ text: BAD }, { data: 'AA==\n' }] });
  });
});

describe('the places where data is looked for', () => {
  const revisions = { v20241105, v20250326, v20250618, v20251125, v20260728 };
  const blocks: JsonObject[] = [
    image(BAD),
    { type: 'audio', data: BAD, mimeType: 'audio/wav' },
    { type: 'resource', resource: blobs(BAD)[0] },
    { type: 'tool_result', toolUseId: '1', content: [image(BAD)] },
  ];
  const results: [string, JsonObject][] = blocks.flatMap((block) => [
    ['tools/call', { content: [{ type: 'text', text: '' }, block] }],
    ['prompts/get', { messages: [{ role: 'user', content: block }] }],
    ['sampling/createMessage', { role: 'user', model: 'm', content: block }],
    ['sampling/createMessage', { role: 'user', model: 'm', content: [block] }],
  ]);
  results.push(['resources/read', { contents: blobs(BAD) }]);

  it.each(Object.entries(revisions))(
    'BASE-DATA-1 are those in which the schema says base64: %s',
    (revision, validate) => {
      let places = 0;
      for (const [method, given] of results) {
        const needed = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
        const result = revision === 'v20260728' ? { ...needed, ...given } : given;
        const judged = validate(method, result, { formats: true });
        if (judged.ok || !validate(method, result).ok) continue;
        places += 1;
        expect(mediaFault(method, result)).toMatchObject({
          pointer: judged.errors[0]?.pointer,
          expected: 'base64 text',
        });
      }
      expect(places).toBeGreaterThan(3);
    },
  );
});
