import { describe, expect, it } from 'vitest';

import { PROTOCOL_VERSIONS as VERSIONS } from '../../runtime/protocol.js';
import {
  definePrompt,
  defineResourceTemplate,
  ResourceNotFound,
  rpcError,
} from '../../runtime/server/index.js';
import { overHttp, overStdio } from './sessions.js';
import { modern, rig } from './support.js';

/** What handlers of resources throw by the name in the URI. */
const THROWN: Readonly<Record<string, (uri: string) => Error>> = {
  'its-own-error': (uri) => new ResourceNotFound(uri),
  'the-older-code': (uri) => rpcError(-32002, 'Gone', { uri }),
  'no-data': () => rpcError(-32602, 'Wrong'),
  'more-data': (uri) => rpcError(-32602, 'Wrong', { uri, more: 1 }),
  'another-uri': () => rpcError(-32602, 'Wrong', { uri: 7 }),
  'another-code': (uri) => rpcError(-32603, 'Wrong', { uri }),
};

const options: Parameters<typeof rig>[0] = {
  resources: [
    defineResourceTemplate({
      name: 'all',
      uriTemplate: 'test://{name}',
      read({ uri, variables: { name } }) {
        const thrown = THROWN[name];
        if (thrown === undefined) throw new Error(`No case ${name}`);
        throw thrown(uri);
      },
    }),
  ],
  prompts: [
    definePrompt({
      name: 'p',
      get() {
        throw new ResourceNotFound('test://of-a-prompt');
      },
    }),
  ],
};

const NOT_FOUND = ['unknown:resource', 'test://its-own-error', 'test://the-older-code'];
const INVALID = ['test://no-data', 'test://more-data', 'test://another-uri'];

describe.each([
  ['http', overHttp],
  ['stdio', overStdio],
])('over %s', (_, open) => {
  describe.each(VERSIONS.filter((version) => version < '2026-07-28'))('a session of %s', (each) => {
    it('has -32002 for an unknown resource', async () => {
      const { request } = await open(each, options);
      for (const uri of NOT_FOUND) {
        const { error } = await request('resources/read', { uri });
        expect(error).toMatchObject({ code: -32002, data: { uri } });
      }
    });

    it('has the code of every other error as it is', async () => {
      const { request } = await open(each, options);
      for (const uri of INVALID) {
        const { error } = await request('resources/read', { uri });
        expect(error?.code, uri).toBe(-32602);
      }
      const other = await request('resources/read', { uri: 'test://another-code' });
      expect(other.error?.code).toBe(-32603);
      const prompt = await request('prompts/get', { name: 'p' });
      expect(prompt.error?.code).toBe(-32602);
    });
  });
});

describe('a request of 2026-07-28', () => {
  it('has -32602 for an unknown resource', async () => {
    const rigged = await rig(options);
    for (const uri of [...NOT_FOUND, ...INVALID]) {
      const { error } = await modern(rigged, 'resources/read', { uri });
      expect(error?.code, uri).toBe(-32602);
    }
  });
});
