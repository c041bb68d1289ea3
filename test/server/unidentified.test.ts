import { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { definePrompt, defineTool } from '../../runtime/server/index.js';
import { pipedTo } from '../support/stdio.js';
import { ended, startCore } from './steps.js';
import { EVERY_ASK, legacy, type LegacyClient, modern, type Rig, rig, until } from './support.js';

describe('asking users whom nothing identifies', () => {
  const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
  const url = { mode: 'url', message: 'Look', url: 'https://example.com', elicitationId: '1' };
  const anonymous = { token: undefined };
  const plainly = { token: undefined, capabilities: EVERY_ASK };
  const REFUSED = {
    code: -32600,
    message: expect.stringContaining('allowUnidentifiedInput') as string,
  };
  const accept = { action: 'accept' };

  const tools = Object.entries({ form, url }).map(([mode, params]) =>
    defineTool({
      name: mode,
      description: 'Asks.',
      input: z.object({}),
      taskSupport: 'optional',
      retryable: true,
      run: async ({ task }) => (await task.elicit(params)).action,
    }),
  );
  const prompts = [
    definePrompt({
      name: 'asks',
      description: 'Asks.',
      async get({ elicit }) {
        await elicit(form);
        return { messages: [] };
      },
    }),
  ];

  const open = (options: object = {}): Promise<Rig> =>
    rig({ tools, prompts }, { allowUnidentified: true, ...options });
  const connect = (rigged: Rig): Promise<LegacyClient> =>
    legacy(rigged, {
      ...plainly,
      respond: ({ method }) => (method === 'elicitation/create' ? { result: accept } : undefined),
    });

  describe.each(['form', 'url'])('in mode %s', (name) => {
    it('SEC-5 is refused to plain calls and tasks of sessions', async () => {
      const client = await connect(await open());
      expect((await client.request('tools/call', { name })).error).toMatchObject(REFUSED);
      const { taskId } = await startCore(client, name);
      expect((await client.request('tasks/result', { taskId })).error).toMatchObject(REFUSED);
      expect(await ended(client, taskId)).toMatchObject({ status: 'failed' });
      expect(client.heard).toEqual([]);
    });

    it('SEC-5 is refused to plain calls and tasks of the extension', async () => {
      const rigged = await open();
      const plain = await modern(rigged, 'tools/call', { name }, plainly);
      expect(plain.error).toMatchObject(REFUSED);
      const { result } = await modern(rigged, 'tools/call', { name }, anonymous);
      const { taskId } = result ?? {};
      const task = await until(
        async () => (await modern(rigged, 'tasks/get', { taskId }, anonymous)).result ?? {},
        ({ status }) => status !== 'working',
      );
      expect(task).toMatchObject({ status: 'failed', error: REFUSED });
    });

    it('SEC-5 is allowed where an option says that it is meant', async () => {
      const rigged = await open({ allowUnidentifiedInput: true });
      const client = await connect(rigged);
      const answered = { content: [{ text: 'accept' }] };
      expect((await client.request('tools/call', { name })).result).toMatchObject(answered);
      const { taskId } = await startCore(client, name);
      expect((await client.request('tasks/result', { taskId })).result).toMatchObject(answered);
      expect((await modern(rigged, 'tools/call', { name }, plainly)).result).toMatchObject({
        resultType: 'input_required',
      });
    });

    it('SEC-5 is allowed over stdio, where the user started the server', async () => {
      const { server } = await rig({ tools });
      const near = pipedTo(server);
      const client = new Client(
        { name: 'test', version: '1' },
        { capabilities: { elicitation: { form: {}, url: {} } } },
      );
      client.setRequestHandler('elicitation/create', () => ({ action: 'accept' }));
      await client.connect(near);
      expect(await client.callTool({ name })).toMatchObject({ content: [{ text: 'accept' }] });
    });
  });

  it('SEC-5 is refused to prompts as well', async () => {
    const rigged = await open();
    const client = await connect(rigged);
    expect((await client.request('prompts/get', { name: 'asks' })).error).toMatchObject(REFUSED);
    expect(client.heard).toEqual([]);
    const asked = await modern(rigged, 'prompts/get', { name: 'asks' }, plainly);
    expect(asked.error).toMatchObject(REFUSED);
    const meant = await open({ allowUnidentifiedInput: true });
    expect((await modern(meant, 'prompts/get', { name: 'asks' }, plainly)).result).toMatchObject({
      resultType: 'input_required',
    });
  });
});
