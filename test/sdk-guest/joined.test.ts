import { McpServer } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

import { defineTool } from '../../runtime/server/tool.js';
import { definePrompt } from '../../runtime/server/prompt.js';
import { defineResource } from '../../runtime/server/resource.js';
import { CORE, EXT, Line, serverOf, SESSIONS, settled, wireOf } from '../server/features/wire.js';
import { LIBRARIES, type Library } from './servers.js';

const reindex = defineTool({
  name: 'reindex',
  description: 'Takes long.',
  input: z.object({}),
  taskSupport: 'optional',
  run: () => 'reindexed',
});
const ours = {
  tools: [reindex],
  prompts: [definePrompt({ name: 'own', get: () => 'Own' })],
  resources: [defineResource({ uri: 'own://x', name: 'x', read: () => ({ text: 'Own' }) })],
};

/** The library of the last session or request. */
function keeping(make: () => Library) {
  const made: Library[] = [];
  return {
    made,
    guest: () => {
      const library = make();
      made.push(library);
      return library.server;
    },
  };
}

describe.each(LIBRARIES)('a guest of %s', (_, make) => {
  it.each([CORE, EXT, '2024-11-05'] as const)(
    'is reached in %s beside the own',
    async (version) => {
      const { request, capabilities, errors } = await wireOf(version, {
        ...ours,
        guest: () => make().server,
      });
      expect(capabilities).toMatchObject({
        prompts: {},
        resources: { subscribe: true },
        tools: {},
      });
      const { tools } = await request('tools/list');
      expect((tools as { name: string }[]).map(({ name }) => name)).toEqual([
        ...['reindex', 'find', 'count', 'broken', 'blocks', 'slow', 'wait', 'where', 'think'],
        ...['roots', 'whoami', 'chat'],
      ]);
      const found = await request('tools/call', { name: 'find', arguments: { title: 'Emma' } });
      expect(found).toMatchObject({ content: [{ text: 'Emma is on shelf 7' }] });
      const own = await request('tools/call', { name: 'reindex', arguments: {} });
      expect(own).toMatchObject({ content: [{ text: 'reindexed' }] });
      const { prompts } = await request('prompts/list');
      expect(prompts).toMatchObject([{ name: 'own' }, { name: 'greet' }]);
      const greeted = await request('prompts/get', { name: 'greet', arguments: { who: 'Ann' } });
      expect(greeted).toMatchObject({ messages: [{ content: { text: 'Hi Ann' } }] });
      const { resources } = await request('resources/list');
      expect(resources).toMatchObject([
        { uri: 'own://x' },
        { uri: 'library://rules' },
        { uri: 'library://books/1' },
      ]);
      const read = await request('resources/read', { uri: 'library://books/7' });
      expect(read).toMatchObject({ contents: [{ text: 'Book 7' }] });
      const { resourceTemplates } = await request('resources/templates/list');
      expect(resourceTemplates).toMatchObject([{ uriTemplate: 'library://books/{id}' }]);
      const completed = await request('completion/complete', {
        ref: { type: 'ref/prompt', name: 'greet' },
        argument: { name: 'who', value: 'a' },
      });
      expect(completed).toMatchObject({ completion: { values: ['a1', 'a2'] } });
      expect(errors).toEqual([]);
    },
  );

  it.each([CORE, EXT] as const)('reports progress in %s', async (version) => {
    const { request, notifications } = await wireOf(version, { guest: () => make().server });
    const params = { name: 'slow', arguments: { steps: 3 }, _meta: { progressToken: 'p' } };
    await request('tools/call', params);
    expect(notifications.map(({ params: { progress } }) => progress)).toEqual([1, 2, 3]);
    expect(notifications.at(-1)?.params['progressToken']).toBe('p');
  });

  it('asks the client of a session', async () => {
    const { made, guest } = keeping(make);
    const { request, session } = await wireOf(
      CORE,
      { guest },
      {
        capabilities: { elicitation: {}, sampling: {}, roots: {} },
        answers: {
          'elicitation/create': () => ({ action: 'accept', content: { shelf: '7' } }),
          'sampling/createMessage': () => ({
            role: 'assistant',
            model: 'm',
            content: { type: 'text', text: 'So' },
          }),
          'roots/list': () => ({ roots: [{ uri: 'file:///x' }] }),
        },
      },
    );
    expect(session).toBeDefined();
    const answer = async (name: string) =>
      JSON.stringify(await request('tools/call', { name, arguments: {} }));
    expect(await answer('where')).toContain('accept');
    expect(await answer('think')).toContain('assistant');
    expect(await answer('roots')).toContain('file:///x');
    expect(made.at(-1)?.clientCapabilities()).toMatchObject({ sampling: {}, roots: {} });
  });

  it('cannot ask in a request without a session', async () => {
    const { request } = await wireOf(
      EXT,
      { guest: () => make().server },
      { capabilities: { elicitation: { form: {} } } },
    );
    const answer = await request('tools/call', { name: 'where', arguments: {} });
    expect(answer['isError']).toBe(true);
    expect(JSON.stringify(answer)).toContain('elicitation/create needs a session');
  });

  it('asks no client whose revision lacks the question', async () => {
    const { request } = await wireOf(
      '2025-03-26',
      { guest: () => make().server },
      { capabilities: { elicitation: { form: {} } } },
    );
    const answer = await request('tools/call', { name: 'where', arguments: {} });
    expect(JSON.stringify(answer)).toContain('does not declare elicitation.form');
  });

  it.each(['undeclared', 'unidentified'] as const)(
    'asks by the rules of the server: %s',
    async (why) => {
      const served = await serverOf({
        guest: () => make().server,
        ...(why === 'undeclared' && { capabilities: { asks: { sampling: {} } } }),
      });
      const serve = served.server.serve.bind(served.server);
      if (why === 'unidentified') {
        Object.assign(served.server, {
          serve: (terms: object) =>
            serve({ ...terms, identification: 'anybody', asksUnidentified: false }),
        });
      }
      const { request } = await wireOf(
        CORE,
        {},
        { served, capabilities: { elicitation: {}, sampling: {} } },
      );
      const answer = await request('tools/call', { name: 'where', arguments: {} });
      expect(JSON.stringify(answer)).toContain(
        why === 'undeclared' ? 'does not declare that it asks' : 'Elicitation is refused',
      );
    },
  );

  it('is told that a call is cancelled', async () => {
    const { made, guest } = keeping(make);
    const { open, session } = await wireOf(CORE, { guest });
    const { result } = open('tools/call', { name: 'wait', arguments: { name: 'one' } });
    result.catch(() => undefined);
    await settled();
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } };
    session?.peer.receive({ jsonrpc: '2.0', ...cancelled }, new Line(() => undefined), {
      who: undefined,
      session,
      http: undefined,
    });
    await settled();
    expect(made.at(-1)?.cancelled).toEqual(['one']);
  });
});

it.each([...SESSIONS])('a notification of a guest leaves in %s if it has it', async (version) => {
  const mcp = new McpServer({ name: 'library', version: '3.0.0' });
  const { notifications } = await wireOf(
    version,
    { guest: () => mcp },
    { capabilities: { elicitation: { form: {}, url: {} } } },
  );
  await settled();
  const complete = 'notifications/elicitation/complete';
  await mcp.server.notification({ method: complete, params: { elicitationId: 'e' } });
  await settled();
  const sent = { method: complete, params: { elicitationId: 'e' } };
  expect(notifications).toEqual(version === CORE ? [sent] : []);
});

it('a question that the guest gives up is withdrawn from the client', async () => {
  const guest = () => {
    const mcp = new McpServer({ name: 'library', version: '3.0.0' });
    mcp.registerTool('ask', {}, async ({ mcpReq }) => {
      const leave = new AbortController();
      setTimeout(() => leave.abort(), 0);
      const asked = mcpReq.send({ method: 'roots/list' }, { signal: leave.signal });
      const text = await asked.then(String, () => 'given up');
      return { content: [{ type: 'text', text }] };
    });
    return mcp;
  };
  const never = new Promise<never>(() => undefined);
  const { open } = await wireOf(
    CORE,
    { guest },
    { capabilities: { roots: {} }, answers: { 'roots/list': () => never as never } },
  );
  const { line, result } = open('tools/call', { name: 'ask', arguments: {} });
  expect(await result).toMatchObject({ content: [{ text: 'given up' }] });
  const [question, withdrawn] = line.sent;
  expect(question).toMatchObject({ method: 'roots/list' });
  expect(withdrawn).toMatchObject({
    method: 'notifications/cancelled',
    params: { requestId: question?.['id'] },
  });
});

it('declares the extensions and the instructions of a guest beside tasks', async () => {
  const guest = () =>
    new McpServer(
      { name: 'library', version: '3.0.0' },
      {
        capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} }, experimental: { x: {} } },
        instructions: 'Ask for books.',
      },
    );
  const { request } = await wireOf(EXT, { ...ours, guest });
  expect(await request('server/discover')).toMatchObject({
    instructions: 'Ask for books.',
    capabilities: {
      experimental: { x: {} },
      extensions: { 'io.modelcontextprotocol/ui': {}, 'io.modelcontextprotocol/tasks': {} },
    },
  });
});
