import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import { defineTool, serveHttp } from '../../runtime/server/index.js';
import type { JsonObject } from '../../runtime/tasks/index.js';
import { brokenTexts, malformedAnswers } from '../support/malformed-answers.js';
import { serverOf } from './features/wire.js';
import { clientOf } from './pipes.js';
import { type Message, messagesOf, until } from './support.js';

const ASK = { messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }], maxTokens: 9 };
const SAID = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'm' };

const ask = defineTool({
  name: 'ask',
  description: 'Asks the model of the client.',
  input: z.object({}),
  run: async ({ task }) => JSON.stringify(await task.sample(ASK)),
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 'i',
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { sampling: {} },
    clientInfo: { name: 'a', version: '1' },
  },
};
const CALL = {
  jsonrpc: '2.0',
  id: 'c',
  method: 'tools/call',
  params: { name: 'ask', arguments: {} },
};

/** Calls the tool, answers its question with a text, and resolves with the answer of the call. */
type Asked = (answerTo: (id: number) => string) => Promise<Message | undefined>;

async function overStdio(): Promise<Asked> {
  const { server } = await serverOf({ tools: [ask] });
  const client = clientOf(server);
  const { lines } = client;
  await client.request(INITIALIZE);
  client.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  return async (answerTo) => {
    const before = lines.length;
    const answered = client.request(CALL);
    const asked = await until(
      () =>
        Promise.resolve(
          lines.slice(before).find((line) => line.includes('sampling/createMessage')),
        ),
      (line) => line !== undefined,
    );
    client.write(answerTo((JSON.parse(asked ?? '') as { id: number }).id));
    return await answered;
  };
}

async function overHttp(): Promise<Asked> {
  const { server } = await serverOf({ tools: [ask] });
  const http = await serveHttp(server, { allowUnidentified: true });
  onTestFinished(() => http.close());
  const post = (body: string, session?: string): Promise<Response> =>
    fetch(http.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
    });
  const opened = await post(JSON.stringify(INITIALIZE));
  const session = opened.headers.get('mcp-session-id') ?? '';
  await opened.text();
  return async (answerTo) => {
    for await (const message of messagesOf(await post(JSON.stringify(CALL), session))) {
      if (message.method === undefined) return message;
      if (message.method === 'sampling/createMessage') {
        await post(answerTo(message.id as number), session);
      }
    }
    return undefined;
  };
}

describe.each([
  ['stdio', overStdio],
  ['HTTP', overHttp],
] as const)('over %s, the question of a tool', (_, open) => {
  it('is answered', async () => {
    const asked = await open();
    const answered = await asked((id) => JSON.stringify({ jsonrpc: '2.0', id, result: SAID }));
    expect(answered?.result).toMatchObject({ content: [{ text: JSON.stringify(SAID) }] });
  });

  it('ends with the reason for every malformed answer, one after another', async () => {
    const asked = await open();
    for (const [at, { name }] of malformedAnswers(0, SAID).entries()) {
      const answered = await asked((id) => JSON.stringify(malformedAnswers(id, SAID)[at]?.message));
      expect([name, textOf(answered)]).toEqual([name, expect.stringMatching(/Invalid answer: ./)]);
    }
  });

  it('ends for an answer that is no JSON, or comes in a list', async () => {
    const asked = await open();
    for (const at of brokenTexts(0, SAID).keys()) {
      const answered = await asked((id) => brokenTexts(id, SAID)[at] ?? '');
      expect(textOf(answered)).toMatch(/Invalid answer: .*is not JSON in UTF-8/);
    }
    const listed = await asked((id) => JSON.stringify([{ jsonrpc: '2.0', id, result: SAID }]));
    expect(textOf(listed)).toMatch(/Invalid answer: .*came in a list/);
    const answered = await asked((id) => JSON.stringify({ jsonrpc: '2.0', id, result: SAID }));
    expect(answered?.result).toMatchObject({ content: [{ text: JSON.stringify(SAID) }] });
  });
});

function textOf(answer: Message | undefined): string {
  const { content } = (answer?.result ?? {}) as { content?: JsonObject[] };
  return JSON.stringify(content ?? answer);
}
