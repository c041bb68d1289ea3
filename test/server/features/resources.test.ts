import { describe, expect, expectTypeOf, it } from 'vitest';

import { rpcError } from '../../../runtime/peer/index.js';
import {
  defineResource,
  defineResourceTemplate,
  ResourceNotFound,
} from '../../../runtime/server/resource.js';
import { CORE, EXT, VERSIONS, wireOf } from './wire.js';

const PIXEL = Uint8Array.of(137, 80, 78, 71);

const catalog = defineResource({
  uri: 'shop://catalog',
  name: 'catalog',
  title: 'Catalog',
  description: 'All that can be ordered.',
  mimeType: 'text/plain',
  annotations: { audience: ['user'], priority: 0.5 },
  icons: [{ src: 'https://example.com/icon.png' }],
  size: 12,
  meta: { 'example.com/key': 1 },
  read: () => ({ text: 'Screws, nails' }),
});

const THROWN: Readonly<Record<string, (uri: string) => unknown>> = {
  absent: () => undefined,
  thrown: (uri) => {
    throw new ResourceNotFound(uri);
  },
  older: (uri) => {
    throw rpcError(-32002, 'Gone', { uri });
  },
  wrong: (uri) => {
    throw rpcError(-32602, 'Wrong', { uri, more: 1 });
  },
  failing: () => {
    throw new Error('Out of order');
  },
};

const orders = defineResourceTemplate({
  uriTemplate: 'shop://orders/{id}{?part*}',
  name: 'orders',
  mimeType: 'application/json',
  list: () => [
    { uri: 'shop://orders/1', name: 'Order 1' },
    { uri: 'shop://orders/2', name: 'Order 2', mimeType: 'text/plain', size: 5 },
  ],
  read({ uri, variables }) {
    expectTypeOf(variables).toEqualTypeOf<{
      readonly id: string;
      readonly part?: readonly string[];
    }>();
    const thrown = THROWN[variables.id];
    if (thrown !== undefined) return thrown(uri) as undefined;
    return { json: variables };
  },
});

const kinds = [
  defineResource({
    uri: 'x:bytes',
    name: 'b',
    mimeType: 'image/png',
    read: () => ({ blob: PIXEL }),
  }),
  defineResource({ uri: 'x:base64', name: 'b', read: () => ({ blob: 'iVBORw==' }) }),
  defineResource({ uri: 'x:json', name: 'j', read: () => ({ json: { a: 1 } }) }),
  defineResource({
    uri: 'x:many',
    name: 'm',
    read: () => [
      { text: '1', uri: 'x:many/1', meta: { n: 1 } },
      { blob: '', mimeType: 'a/b' },
    ],
  }),
  defineResource({
    uri: 'x:whole',
    name: 'w',
    read: () => ({ contents: [{ uri: 'x:else', text: 'whole' }], _meta: { key: 1 } }),
  }),
  defineResource({ uri: 'x:wrong', name: 'wrong', read: () => ({ other: 1 }) as never }),
  defineResource({
    uri: 'x:big',
    name: 'big',
    read: () => ({ blob: new Uint8Array(100_000).fill(7) }),
  }),
];

const options = { resources: [catalog, orders, ...kinds] };

describe.each(VERSIONS)('in %s', (version) => {
  const hasTitles = version >= '2025-06-18';

  it('resources are declared, and listed with those of templates', async () => {
    const { capabilities, request } = await wireOf(version, options);
    expect(capabilities['resources']).toEqual({ subscribe: true, listChanged: true });
    const { resources } = await request('resources/list');
    expect(resources).toHaveLength(kinds.length + 3);
    expect((resources as unknown[])[0]).toEqual({
      uri: 'shop://catalog',
      name: 'catalog',
      description: 'All that can be ordered.',
      mimeType: 'text/plain',
      annotations: { audience: ['user'], priority: 0.5 },
      size: 12,
      ...(hasTitles && { title: 'Catalog', _meta: { 'example.com/key': 1 } }),
      ...(version >= CORE && { icons: [{ src: 'https://example.com/icon.png' }] }),
    });
    expect((resources as unknown[]).slice(-2)).toEqual([
      { uri: 'shop://orders/1', name: 'Order 1', mimeType: 'application/json' },
      { uri: 'shop://orders/2', name: 'Order 2', mimeType: 'text/plain', size: 5 },
    ]);
    expect((await request('resources/templates/list'))['resourceTemplates']).toEqual([
      { uriTemplate: 'shop://orders/{id}{?part*}', name: 'orders', mimeType: 'application/json' },
    ]);
  });

  it('a resource is read by its URI, or by its template', async () => {
    const { request } = await wireOf(version, options);
    const contents = async (uri: string) => (await request('resources/read', { uri }))['contents'];
    expect(await contents('shop://catalog')).toEqual([
      { uri: 'shop://catalog', mimeType: 'text/plain', text: 'Screws, nails' },
    ]);
    expect(await contents('shop://orders/a%20b?part=1&part=2')).toEqual([
      {
        uri: 'shop://orders/a%20b?part=1&part=2',
        mimeType: 'application/json',
        text: '{"id":"a b","part":["1","2"]}',
      },
    ]);
    expect(await contents('x:bytes')).toEqual([
      { uri: 'x:bytes', mimeType: 'image/png', blob: 'iVBORw==' },
    ]);
    expect(await contents('x:base64')).toEqual([{ uri: 'x:base64', blob: 'iVBORw==' }]);
    expect(await contents('x:json')).toEqual([
      { uri: 'x:json', mimeType: 'application/json', text: '{"a":1}' },
    ]);
    expect(await contents('x:many')).toEqual([
      { uri: 'x:many/1', text: '1', ...(hasTitles && { _meta: { n: 1 } }) },
      { uri: 'x:many', mimeType: 'a/b', blob: '' },
    ]);
    expect(await request('resources/read', { uri: 'x:whole' })).toMatchObject({
      contents: [{ uri: 'x:else', text: 'whole' }],
      _meta: { key: 1 },
    });
    const [big] = (await contents('x:big')) as { blob: string }[];
    expect(Buffer.from(big?.blob ?? '', 'base64')).toEqual(Buffer.alloc(100_000, 7));
  });

  it('an unknown resource has the code of the revision, and every other error its own', async () => {
    const { request } = await wireOf(version, options);
    const code = version === EXT ? -32602 : -32002;
    const unknown = [
      'x:absent',
      '__proto__:x',
      'shop://orders/absent',
      'shop://orders/thrown',
      'shop://orders/older',
    ];
    for (const uri of unknown) {
      await expect(request('resources/read', { uri })).rejects.toMatchObject({
        code,
        data: { uri },
      });
    }
    const error = (uri: string) =>
      request('resources/read', { uri }).catch((thrown: unknown) => thrown);
    expect(await error('shop://orders/wrong')).toMatchObject({ code: -32602, message: 'Wrong' });
    expect(await error('shop://orders/failing')).toMatchObject({
      code: -32603,
      message: 'Internal error',
    });
    expect(await error('x:wrong')).toMatchObject({
      code: -32603,
      message: 'Resource "wrong" returned no text, blob or json',
    });
  });

  it('a server without resources declares and serves none', async () => {
    const { capabilities, request } = await wireOf(version);
    expect(capabilities).not.toHaveProperty('resources');
    await expect(request('resources/list')).rejects.toMatchObject({ code: -32601 });
  });
});

const asking = defineResource({
  uri: 'x:asking',
  name: 'asking',
  async read({ elicit, caller, request }) {
    const answer = await elicit(
      {
        message: 'Which?',
        requestedSchema: { type: 'object', properties: { it: { type: 'string' } } },
      },
      { key: 'which' },
    );
    return { json: [answer.action, answer.content?.['it'], caller ?? null, request.method] };
  },
});

describe('a resource that asks the client', () => {
  it('asks in a session, on the stream of the request', async () => {
    const { request } = await wireOf(
      CORE,
      { resources: [asking] },
      {
        capabilities: { elicitation: {} },
        answers: { 'elicitation/create': () => ({ action: 'accept', content: { it: 'this' } }) },
      },
    );
    const { contents } = await request('resources/read', { uri: 'x:asking' });
    expect(contents).toMatchObject([{ text: '["accept","this",null,"resources/read"]' }]);
  });

  it('asks without a session in a multi-round-trip request', async () => {
    const { request } = await wireOf(
      EXT,
      { resources: [asking] },
      { capabilities: { elicitation: {} } },
    );
    const first = await request('resources/read', { uri: 'x:asking' });
    expect(first).toMatchObject({
      resultType: 'input_required',
      inputRequests: { which: { method: 'elicitation/create' } },
    });
    const second = await request('resources/read', {
      uri: 'x:asking',
      requestState: first['requestState'],
      inputResponses: { which: { action: 'accept', content: { it: 'this' } } },
    });
    expect(second['contents']).toMatchObject([{ text: '["accept","this",null,"resources/read"]' }]);
  });

  it('does not ask a client that cannot be asked', async () => {
    const { request } = await wireOf(EXT, { resources: [asking] });
    await expect(request('resources/read', { uri: 'x:asking' })).rejects.toMatchObject({
      code: -32021,
    });
  });
});

it('a template makes the URIs of its resources', () => {
  expect(orders.uri({ id: 'a b', part: ['1', '2'] })).toBe('shop://orders/a%20b?part=1&part=2');
  // @ts-expect-error id is missing
  expect(() => orders.uri({ part: [] })).toThrow('needs a value of id');
});
