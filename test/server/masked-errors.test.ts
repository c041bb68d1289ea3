import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';

import {
  createTaskServer,
  definePrompt,
  defineResource,
  defineResourceTemplate,
} from '../../runtime/server/index.js';
import { clientOf, META, settle } from './pipes.js';

const SECRET = 'ENOENT: /srv/private';
const fails = (): never => {
  throw new Error(SECRET);
};
const ref = { type: 'ref/prompt', name: 'greet' };

it.each(['core', 'ext'] as const)(
  'the text of an error is for the author alone (%s)',
  async (dialect) => {
    const problems: string[] = [];
    const server = await createTaskServer({
      name: 'test',
      version: '1.0.0',
      tools: [],
      resources: [
        defineResource({ uri: 'file:///a', name: 'a', read: fails }),
        defineResourceTemplate({
          uriTemplate: 'file:///b/{id}',
          name: 'b',
          list: fails,
          read: fails,
        }),
      ],
      prompts: [
        definePrompt({
          name: 'greet',
          args: z.object({ who: z.string() }),
          complete: { who: fails },
          get: fails,
        }),
      ],
      onError: ({ message }) => void problems.push(message),
    });
    onTestFinished(() => server.close(0));
    const client = clientOf(server);
    await settle(client, dialect);
    const requests: [string, object][] = [
      ['resources/read', { uri: 'file:///a' }],
      ['resources/read', { uri: 'file:///b/1' }],
      ['resources/list', {}],
      ['prompts/get', { name: 'greet', arguments: { who: 'Ann' } }],
      ['completion/complete', { ref, argument: { name: 'who', value: 'A' } }],
    ];
    for (const [id, [method, more]] of requests.entries()) {
      const params = { ...more, ...(dialect === 'ext' && { _meta: META }) };
      const { error } = await client.request({ id, method, params });
      expect([method, error]).toEqual([method, { code: -32603, message: 'Internal error' }]);
      expect(problems.splice(0)).toEqual([`The handler of ${method} threw: ${SECRET}`]);
    }
  },
);
