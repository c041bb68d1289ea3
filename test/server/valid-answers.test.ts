import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { defineTool } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { RELATED_TASK } from '../../runtime/peer/wire/core-task.js';
import { ended, getExt, reaches, startCore, startExt } from './steps.js';
import {
  EVERY_ASK,
  legacy,
  type LegacyClient,
  modern,
  post,
  type Rig,
  rig,
  tokenOf,
  until,
} from './support.js';

/** Answers to forms: those that do not fit never reach the tool, and no log holds what was typed. */

const requestedSchema = {
  type: 'object',
  properties: {
    guests: { type: 'integer', minimum: 1, maximum: 9 },
    mail: { type: 'string', format: 'email' },
    room: { type: 'string', enum: ['Garden', 'Tower'] },
    extras: { type: 'array', items: { type: 'string', enum: ['tea', 'cake'] }, maxItems: 1 },
  },
  required: ['guests'],
};

const received: unknown[] = [];
const books = defineTool({
  name: 'books',
  description: 'Asks how many come.',
  input: z.object({}),
  taskSupport: 'optional',
  retryable: true,
  async run({ task }) {
    const { action, content } = await task.elicit({ message: 'Who comes?', requestedSchema });
    received.push(content);
    return `${action} ${JSON.stringify(content)}`;
  },
});

const accept = (content: unknown): JsonObject => ({ action: 'accept', content });
const RIGHT = accept({ guests: 2, mail: 'ann@example.com', room: 'Tower', extras: ['tea'] });
const WRONG: [string, JsonObject, string][] = [
  ['no content', { action: 'accept' }, '/content/guests'],
  ['a missing field', accept({ room: 'Tower' }), '/content/guests'],
  ['another type', accept({ guests: 'hunter2' }), '/content/guests'],
  ['a fraction', accept({ guests: 1.5 }), '/content/guests'],
  ['too many', accept({ guests: 10 }), '/content/guests'],
  ['no choice', accept({ guests: 1, room: 'hunter2' }), '/content/room'],
  ['too many choices', accept({ guests: 1, extras: ['tea', 'cake'] }), '/content/extras'],
  ['no address', accept({ guests: 1, mail: 'hunter2' }), '/content/mail'],
  ['an object', accept({ guests: 1, other: { hunter2: 1 } }), '/content'],
  ['no action', { action: 'hunter2' }, '/action'],
];
const undeclared = { capabilities: EVERY_ASK };

const once = (content: unknown): unknown[] => [content];

async function scene(): Promise<Rig> {
  received.length = 0;
  const rigged = await rig({ tools: [books] });
  onTestFinished(() => {
    for (const { message } of rigged.problems) expect(message).not.toContain('hunter2');
  });
  return rigged;
}

describe('SEC-5 an answer that is not what the form asks for', () => {
  describe.each(WRONG)('%s', (_, wrong, field) => {
    it('is refused by tasks/update with -32602, and the question stays open', async () => {
      const rigged = await scene();
      const taskId = await startExt(rigged, 'books');
      const asked = await reaches(rigged, taskId, 'input_required');
      const [key = ''] = Object.keys(asked['inputRequests'] as JsonObject);
      const update = (answer: JsonObject) =>
        modern(rigged, 'tasks/update', { taskId, inputResponses: { [key]: answer } });
      const { error } = await update(wrong);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain(field);
      expect(error?.message).not.toContain('hunter2');
      expect(await getExt(rigged, taskId)).toMatchObject({ status: 'input_required' });
      expect((await update(RIGHT)).error).toBeUndefined();
      await reaches(rigged, taskId, 'completed');
      expect(received).toEqual(once(RIGHT['content']));
    });

    it('is refused on the call itself with -32602, and the round can be repeated', async () => {
      const rigged = await scene();
      const { result } = await modern(rigged, 'tools/call', { name: 'books' }, undeclared);
      const [key = ''] = Object.keys(result?.['inputRequests'] as JsonObject);
      const answer = (given: JsonObject) =>
        modern(
          rigged,
          'tools/call',
          {
            name: 'books',
            requestState: result?.['requestState'],
            inputResponses: { [key]: given },
          },
          undeclared,
        );
      const { error } = await answer(wrong);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toContain(field);
      expect(received).toEqual([]);
      expect((await answer(RIGHT)).result).toMatchObject({ resultType: 'complete' });
      expect(received).toEqual(once(RIGHT['content']));
    });

    it.each(['a task', 'a plain call'])('makes %s in a session ask again', async (way) => {
      const rigged = await scene();
      let times = 0;
      const client = await legacy(rigged, {
        capabilities: EVERY_ASK,
        respond: ({ method }) =>
          method === 'elicitation/create' ? { result: times++ === 0 ? wrong : RIGHT } : undefined,
      });
      const { result } = await outcome(client, way);
      expect(result).toMatchObject({
        content: [{ text: `accept ${JSON.stringify(RIGHT['content'])}` }],
      });
      expect(received).toEqual(once(RIGHT['content']));
      expect(client.heard.map(({ method }) => method)).toEqual([
        'elicitation/create',
        'elicitation/create',
      ]);
    });

    it.each(['a task', 'a plain call'])('fails %s in a session at the third time', async (way) => {
      const rigged = await scene();
      const client = await legacy(rigged, {
        capabilities: EVERY_ASK,
        respond: ({ method }) => (method === 'elicitation/create' ? { result: wrong } : undefined),
      });
      const { error } = await outcome(client, way);
      expect(error?.code).toBe(-32602);
      expect(error?.message).toMatch(/^Invalid answer: .*(must be|is missing)/);
      expect(error?.message).not.toContain('hunter2');
      expect(received).toEqual([]);
      expect(client.heard).toHaveLength(3);
    });
  });

  async function outcome(client: LegacyClient, way: string) {
    if (way !== 'a task') return client.request('tools/call', { name: 'books' });
    const { taskId } = await startCore(client, 'books');
    return client.request('tasks/result', { taskId });
  }

  it.each(['decline', 'cancel'])('is none for %s, which needs no content', async (action) => {
    const rigged = await scene();
    const taskId = await startExt(rigged, 'books');
    const asked = await reaches(rigged, taskId, 'input_required');
    const [key = ''] = Object.keys(asked['inputRequests'] as JsonObject);
    await modern(rigged, 'tasks/update', { taskId, inputResponses: { [key]: { action } } });
    await reaches(rigged, taskId, 'completed');
  });
});

describe('a question that is withdrawn', () => {
  it('CORE-INP-2 is cancelled in our words, and names its task', async () => {
    const rigged = await scene();
    const client = await legacy(rigged, { capabilities: EVERY_ASK });
    const { taskId } = await startCore(client, 'books');
    const waiting = client.request('tasks/result', { taskId });
    await until(
      () => Promise.resolve(client.heard.length),
      (length) => length === 1,
    );
    await client.request('tasks/cancel', { taskId });
    await waiting;
    const [asked, withdrawn] = client.heard;
    expect(withdrawn).toMatchObject({
      method: 'notifications/cancelled',
      params: {
        requestId: asked?.id,
        reason: 'The question is no longer needed',
        _meta: { [RELATED_TASK]: { taskId } },
      },
    });
  });
});

describe('logs', () => {
  const ESCAPE = '\u009b31m';
  const secret = accept({ guests: 1, mail: `hunter2${ESCAPE}${'x'.repeat(100_000)}` });

  async function answerLate(rigged: Rig, client: LegacyClient, id: unknown): Promise<void> {
    await post(
      rigged.http,
      { id, result: secret },
      {
        authorization: `Bearer ${tokenOf('ann')}`,
        'mcp-protocol-version': '2025-11-25',
        'mcp-session-id': client.sessionId,
      },
    );
    expect(rigged.problems).toEqual([]);
  }

  it('SEC-8 never holds an answer that comes late, or to no question', async () => {
    const rigged = await scene();
    const client = await legacy(rigged, { capabilities: EVERY_ASK });
    const { taskId } = await startCore(client, 'books');
    const waiting = client.request('tasks/result', { taskId });
    await until(
      () => Promise.resolve(client.heard.length),
      (length) => length === 1,
    );
    await client.request('tasks/cancel', { taskId });
    await waiting;
    await answerLate(rigged, client, client.heard[0]?.id);
    await answerLate(rigged, client, `hunter2${ESCAPE}`);
  });

  it('SEC-8 never holds what a wrong answer or notification says', async () => {
    const rigged = await scene();
    const client = await legacy(rigged, {
      capabilities: EVERY_ASK,
      respond: ({ method }) =>
        method === 'elicitation/create' ? { result: { action: 'hunter2' } } : undefined,
    });
    const { taskId } = await startCore(client, 'books');
    await client.request('tasks/result', { taskId });
    expect(JSON.stringify(await ended(client, taskId))).not.toContain('hunter2');
    await client.notify('notifications/progress', { progress: 'hunter2', progressToken: 1 });
    await client.notify('notifications/progress', { progress: 1, progressToken: 'hunter2' });
    expect(rigged.problems.map(({ message }) => message).join()).not.toContain('hunter2');
  });
});
