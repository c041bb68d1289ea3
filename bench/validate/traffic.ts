/**
 * Invented messages between servers and clients: eighteen kinds for each revision, from a small call of 100
 * bytes to a list of 50 tools of 43 KB.
 */

export interface Sample {
  readonly kind: string;
  readonly from: 'client' | 'server';
  /** The method that a response answers. */
  readonly answers?: string;
  readonly message: Json;
}

type Json = { readonly [key: string]: unknown };

export const TRAFFIC_REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type TrafficRevision = (typeof TRAFFIC_REVISIONS)[number];

const words = 'amber basin cedar delta ember fjord grove harbor inlet jetty knoll lagoon'.split(
  ' ',
);

/** Readable text of about this number of characters, always the same. */
function prose(length: number): string {
  const parts: string[] = [];
  for (let size = 0, i = 0; size < length; i++) {
    const word = words[(i * 7 + (i >> 3)) % words.length] ?? '';
    parts.push(i % 11 === 10 ? `${word}.\n` : word);
    size += word.length + 1;
  }
  return parts.join(' ');
}

/** Base64 of this number of bytes. */
export function picture(bytes: number): string {
  const data = Uint8Array.from({ length: bytes }, (_, i) => (i * 197 + (i >> 5) * 31) & 255);
  return Buffer.from(data).toString('base64');
}

const request = (id: number, method: string, params: Json): Json => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const response = (id: number, result: Json): Json => ({ jsonrpc: '2.0', id, result });
const notification = (method: string, params: Json): Json => ({ jsonrpc: '2.0', method, params });

const icons = [
  { src: 'https://cdn.example.org/icons/forge-48.png', mimeType: 'image/png', sizes: ['48x48'] },
  { src: 'https://cdn.example.org/icons/forge.svg', mimeType: 'image/svg+xml', theme: 'dark' },
];

const tool = (index: number): Json => ({
  name: `forge_${words[index % words.length]}_${index}`,
  title: `Forge ${words[index % words.length]}`,
  description: prose(180),
  inputSchema: {
    type: 'object',
    properties: {
      path: { type: 'string', description: prose(40) },
      limit: { type: 'integer', minimum: 1, maximum: 500 },
      tags: { type: 'array', items: { type: 'string' } },
      deep: { type: 'object', properties: { flag: { type: 'boolean' } } },
    },
    required: ['path'],
  },
  outputSchema: {
    type: 'object',
    properties: { matches: { type: 'array', items: { type: 'string' } } },
    required: ['matches'],
  },
  annotations: { title: 'Forge', readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  ...(index % 4 === 0 && { icons }),
});

const resource = (index: number): Json => ({
  uri: `file:///srv/forge/notes/${words[index % words.length]}-${index}.md`,
  name: `${words[index % words.length]}-${index}.md`,
  title: prose(24),
  mimeType: 'text/markdown',
  size: 1024 + index * 37,
  annotations: {
    audience: ['user', 'assistant'],
    priority: 0.5,
    lastModified: '2026-02-11T08:15:00Z',
  },
});

const callResult = {
  content: [
    { type: 'text', text: prose(1400) },
    { type: 'text', text: prose(500), annotations: { audience: ['user'], priority: 1 } },
    {
      type: 'resource_link',
      uri: 'file:///srv/forge/out/report.csv',
      name: 'report.csv',
      mimeType: 'text/csv',
      size: 20480,
    },
  ],
  structuredContent: { matches: words, total: 12, more: false },
  isError: false,
};

const imageResult = {
  content: [
    { type: 'text', text: 'The chart for last quarter:' },
    { type: 'image', data: picture(2200), mimeType: 'image/png' },
  ],
};

const readResult = {
  contents: [
    { uri: 'file:///srv/forge/notes/amber.md', mimeType: 'text/markdown', text: prose(1300) },
    {
      uri: 'file:///srv/forge/notes/raw.bin',
      mimeType: 'application/octet-stream',
      blob: picture(300),
    },
  ],
};

const promptResult = {
  description: 'Reviews a change before it is merged.',
  messages: [
    { role: 'user', content: { type: 'text', text: prose(700) } },
    { role: 'assistant', content: { type: 'text', text: prose(300) } },
    {
      role: 'user',
      content: {
        type: 'resource',
        resource: {
          uri: 'file:///srv/forge/change.diff',
          mimeType: 'text/x-diff',
          text: prose(350),
        },
      },
    },
  ],
};

const samplingParams = {
  messages: [
    { role: 'user', content: { type: 'text', text: prose(500) } },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'u1', name: 'search', input: { q: 'fjord' } }],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: prose(400) }] },
      ],
    },
  ],
  modelPreferences: { hints: [{ name: 'small' }], costPriority: 0.3, speedPriority: 0.8 },
  systemPrompt: prose(200),
  includeContext: 'none',
  temperature: 0.2,
  maxTokens: 800,
  stopSequences: ['END'],
};

const formParams = {
  message: 'Which cluster should the job run on?',
  requestedSchema: {
    type: 'object',
    properties: {
      cluster: { type: 'string', title: 'Cluster', enum: ['north', 'south'] },
      nodes: { type: 'integer', title: 'Nodes', minimum: 1, maximum: 64, default: 4 },
      contact: { type: 'string', format: 'email', description: 'Whom to tell when it is done.' },
      notify: { type: 'boolean', default: true },
      zones: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'a', title: 'Zone A' },
            { const: 'b', title: 'Zone B' },
          ],
        },
        maxItems: 2,
      },
    },
    required: ['cluster', 'nodes'],
  },
};

const implementation = (name: string): Json => ({
  name,
  title: `Example ${name}`,
  version: '3.1.4',
  websiteUrl: `https://${name}.example.org/about`,
  icons,
});

const progress = notification('notifications/progress', {
  progressToken: 'call-41',
  progress: 37.5,
  total: 100,
  message: 'Read 375 of 1000 rows',
});

const log = (extra: Json): Json =>
  notification('notifications/message', {
    level: 'warning',
    logger: 'forge.scheduler',
    data: { text: prose(220), attempt: 3, host: 'node-7', ok: false },
    ...extra,
  });

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Smaller and larger messages than most; `more` is what each result has besides. */
const extremes = (more: Json, params: Json): readonly Sample[] => [
  {
    kind: 'tools/call, small',
    from: 'client',
    message: request(10, 'tools/call', { name: 'forge', arguments: { path: '/srv' }, ...params }),
  },
  {
    kind: 'tools/call, 20 blocks',
    from: 'server',
    answers: 'tools/call',
    message: response(11, {
      ...more,
      content: times(20, (index) => ({ type: 'text', text: prose(60 + index * 20) })),
    }),
  },
  {
    kind: 'tools/list, 50 tools',
    from: 'server',
    answers: 'tools/list',
    message: response(12, { ...more, tools: times(50, tool) }),
  },
  {
    kind: 'resources/list, 200 resources',
    from: 'server',
    answers: 'resources/list',
    message: response(13, { ...more, resources: times(200, resource) }),
  },
];

const early: readonly Sample[] = [
  {
    kind: 'initialize',
    from: 'client',
    message: request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {
        roots: { listChanged: true },
        sampling: { tools: {} },
        elicitation: { form: {}, url: {} },
        tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} } } },
      },
      clientInfo: implementation('studio'),
    }),
  },
  {
    kind: 'initialize result',
    from: 'server',
    answers: 'initialize',
    message: response(0, {
      protocolVersion: '2025-11-25',
      capabilities: {
        logging: {},
        completions: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
        tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
      },
      serverInfo: implementation('forge'),
      instructions: prose(400),
    }),
  },
  {
    kind: 'tools/list result',
    from: 'server',
    answers: 'tools/list',
    message: response(1, { tools: times(9, tool), nextCursor: 'bmV4dA' }),
  },
  {
    kind: 'tools/call',
    from: 'client',
    message: request(2, 'tools/call', {
      name: 'forge_amber_0',
      arguments: { path: '/srv/data', limit: 50, query: prose(300), tags: words.slice(0, 5) },
      task: { ttl: 60000 },
      _meta: { progressToken: 'call-41' },
    }),
  },
  {
    kind: 'tools/call result',
    from: 'server',
    answers: 'tools/call',
    message: response(2, callResult),
  },
  {
    kind: 'tools/call image',
    from: 'server',
    answers: 'tools/call',
    message: response(3, imageResult),
  },
  {
    kind: 'resources/list result',
    from: 'server',
    answers: 'resources/list',
    message: response(4, { resources: times(10, resource) }),
  },
  {
    kind: 'resources/read result',
    from: 'server',
    answers: 'resources/read',
    message: response(5, readResult),
  },
  {
    kind: 'prompts/get result',
    from: 'server',
    answers: 'prompts/get',
    message: response(6, promptResult),
  },
  {
    kind: 'sampling/createMessage',
    from: 'server',
    message: request(7, 'sampling/createMessage', samplingParams),
  },
  {
    kind: 'elicitation/create',
    from: 'server',
    message: request(8, 'elicitation/create', { mode: 'form', ...formParams }),
  },
  { kind: 'notifications/progress', from: 'server', message: progress },
  { kind: 'notifications/message', from: 'server', message: log({}) },
  {
    kind: 'tasks/get result',
    from: 'server',
    answers: 'tasks/get',
    message: response(9, {
      taskId: '6f9d3a1e-7b9c-4f53-9d58-0c3b5a0f4e21',
      status: 'working',
      statusMessage: 'Reading rows',
      createdAt: '2026-02-11T08:15:00Z',
      lastUpdatedAt: '2026-02-11T08:15:09Z',
      ttl: 60000,
      pollInterval: 1000,
    }),
  },
  ...extremes({}, {}),
];

const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': implementation('studio'),
  'io.modelcontextprotocol/clientCapabilities': {
    sampling: { tools: {} },
    elicitation: { form: {}, url: {} },
    extensions: { 'io.modelcontextprotocol/tasks': {} },
  },
};
const complete = { resultType: 'complete' };
const cached = { ...complete, ttlMs: 60000, cacheScope: 'private' };

const late: readonly Sample[] = [
  {
    kind: 'server/discover',
    from: 'client',
    message: request(0, 'server/discover', { _meta: requestMeta }),
  },
  {
    kind: 'server/discover result',
    from: 'server',
    answers: 'server/discover',
    message: response(0, {
      ...cached,
      supportedVersions: ['2026-07-28', '2025-11-25'],
      capabilities: {
        logging: {},
        completions: {},
        prompts: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
        extensions: { 'io.modelcontextprotocol/tasks': {} },
      },
      instructions: prose(400),
      _meta: { 'io.modelcontextprotocol/serverInfo': implementation('forge') },
    }),
  },
  {
    kind: 'tools/list result',
    from: 'server',
    answers: 'tools/list',
    message: response(1, { ...cached, tools: times(9, tool), nextCursor: 'bmV4dA' }),
  },
  {
    kind: 'tools/call',
    from: 'client',
    message: request(2, 'tools/call', {
      name: 'forge_amber_0',
      arguments: { path: '/srv/data', limit: 50, query: prose(300), tags: words.slice(0, 5) },
      _meta: { ...requestMeta, progressToken: 'call-41' },
    }),
  },
  {
    kind: 'tools/call result',
    from: 'server',
    answers: 'tools/call',
    message: response(2, { ...complete, ...callResult }),
  },
  {
    kind: 'tools/call image',
    from: 'server',
    answers: 'tools/call',
    message: response(3, { ...complete, ...imageResult }),
  },
  {
    kind: 'resources/list result',
    from: 'server',
    answers: 'resources/list',
    message: response(4, { ...cached, resources: times(10, resource) }),
  },
  {
    kind: 'resources/read result',
    from: 'server',
    answers: 'resources/read',
    message: response(5, { ...cached, ...readResult }),
  },
  {
    kind: 'prompts/get result',
    from: 'server',
    answers: 'prompts/get',
    message: response(6, { ...complete, ...promptResult }),
  },
  {
    kind: 'input required result',
    from: 'server',
    answers: 'tools/call',
    message: response(7, {
      resultType: 'input_required',
      inputRequests: {
        draft: { method: 'sampling/createMessage', params: samplingParams },
        where: { method: 'elicitation/create', params: { mode: 'form', ...formParams } },
      },
      requestState: picture(90),
    }),
  },
  {
    kind: 'tools/call with answers',
    from: 'client',
    message: request(8, 'tools/call', {
      name: 'forge_amber_0',
      arguments: { path: '/srv/data' },
      inputResponses: {
        draft: {
          role: 'assistant',
          model: 'small-2',
          stopReason: 'endTurn',
          content: { type: 'text', text: prose(350) },
        },
        where: { action: 'accept', content: { cluster: 'north', nodes: 4, notify: true } },
      },
      requestState: picture(90),
      _meta: requestMeta,
    }),
  },
  { kind: 'notifications/progress', from: 'server', message: progress },
  { kind: 'notifications/message', from: 'server', message: log({}) },
  {
    kind: 'completion/complete result',
    from: 'server',
    answers: 'completion/complete',
    message: response(9, { ...complete, completion: { values: words, total: 12, hasMore: false } }),
  },
  ...extremes(cached, { _meta: requestMeta }),
];

export const TRAFFIC: Readonly<Record<TrafficRevision, readonly Sample[]>> = {
  '2025-11-25': early,
  '2026-07-28': late,
};

/** The sample as text of the wire. */
export function parsed(sample: Sample): Sample {
  return { ...sample, message: JSON.parse(JSON.stringify(sample.message)) as Json };
}
