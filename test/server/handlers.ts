/** Handlers as users of the official SDK write them: how they take their arguments, and what they do. */
export interface SdkHandler {
  readonly shape: string;
  /** How the handler names its arguments. */
  readonly args: string;
  /** Behind the arrow. */
  readonly body: string;
  readonly isAsync?: true;
}

const TEXT = '{ text: z.string() }';
const sync = (body: string, args = '{ text }', shape = TEXT): SdkHandler => ({ shape, args, body });
const async = (body: string, args = '{ text }', shape = TEXT): SdkHandler => ({
  ...sync(body, args, shape),
  isAsync: true,
});

export const TOOLS: Readonly<Record<string, SdkHandler>> = {
  text: sync(`({ content: [{ type: 'text', text }] })`),
  failure: sync(`({ content: [{ type: 'text', text }], isError: true })`),
  block: sync(`{ return { content: [{ type: 'text', text: text.toUpperCase() }] }; }`),
  template: sync('({ content: [{ type: "text", text: `Hello, ${args.text}!` }] })', 'args'),
  empty: sync(`({ content: [] })`, ''),
  branches: sync(`{
    if (text === '') return { content: [{ type: 'text', text: 'Empty' }], isError: true };
    return { content: [{ type: 'text', text }] };
  }`),
  ternary: sync(`text === ''
    ? { content: [{ type: 'text', text: 'Empty' }], isError: true }
    : { content: [{ type: 'text', text }] }`),
  image: sync(`({ content: [{ type: 'image', data: text, mimeType: 'image/png' }] })`),
  audio: sync(`({ content: [{ type: 'audio', data: text, mimeType: 'audio/wav' }] })`),
  mixed: sync(`({
    content: [
      { type: 'text', text, annotations: { audience: ['user'], priority: 0.5 } },
      { type: 'image', data: '', mimeType: 'image/png' },
      { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt', mimeType: 'text/plain' },
    ],
  })`),
  embedded: sync(`({
    content: [{ type: 'resource', resource: { uri: 'x:y', text, mimeType: 'text/plain' } }],
  })`),
  binary: sync(`({
    content: [{ type: 'resource', resource: { uri: 'x:y', blob: text } }],
  })`),
  structured: sync(`{
    const output = { length: text.length };
    return { content: [{ type: 'text', text: JSON.stringify(output) }], structuredContent: output };
  }`),
  meta: sync(`({ content: [{ type: 'text', text }], _meta: { 'example.com/key': [1, 2] } })`),
  mapped: sync(
    `({ content: names.map((name) => ({ type: 'text', text: name })) })`,
    '{ names }',
    '{ names: z.array(z.string()) }',
  ),
  awaited: async(`{
    const length = await Promise.resolve(text.length);
    return { content: [{ type: 'text', text: String(length) }] };
  }`),
  caught: async(`{
    try {
      const found = await Promise.resolve(JSON.parse(text) as unknown);
      return { content: [{ type: 'text', text: JSON.stringify(found, null, 2) }] };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { content: [{ type: 'text', text: message }], isError: true };
    }
  }`),
  early: async(`{
    const found = await Promise.resolve(text === '' ? undefined : text);
    if (found === undefined) {
      return { isError: true, content: [{ type: 'text', text: 'Not found' }] };
    }
    return { content: [{ type: 'text', text: found }] };
  }`),
  list: async(
    `{
    const rows = await Promise.all(ids.map((id) => Promise.resolve({ id, name: 'n' })));
    return {
      content: rows.map(({ id, name }) => ({ type: 'text', text: \`\${String(id)}: \${name}\` })),
    };
  }`,
    '{ ids }',
    '{ ids: z.array(z.number()) }',
  ),
  optional: async(
    `{
    await Promise.resolve();
    return { content: [{ type: 'text', text: (limit ?? 10).toFixed(1) }], isError: limit === 0 };
  }`,
    '{ limit }',
    '{ limit: z.number().optional() }',
  ),
};

export const PROMPTS: Readonly<Record<string, SdkHandler>> = {
  message: sync(`({ messages: [{ role: 'user', content: { type: 'text', text } }] })`),
  described: async(`{
    const topic = await Promise.resolve(text);
    return {
      description: 'Two turns',
      messages: [
        { role: 'user', content: { type: 'text', text: topic } },
        { role: 'assistant', content: { type: 'text', text: 'Yes?' } },
      ],
    };
  }`),
};

/** Values with an output schema, which the SDK does not compile: it takes any `structuredContent`. */
export const OUTPUTS: Readonly<Record<string, SdkHandler & { readonly output: string }>> = {
  enum: {
    ...sync(`({ kind: 'a', n: text.length })`),
    output: `z.object({ kind: z.enum(['a', 'b']), n: z.number() })`,
  },
  union: {
    ...async(`{
    await Promise.resolve();
    return text === '' ? { type: 'none' } : { type: 'some', items: [{ level: 1 }], pair: ['a', 1] };
  }`),
    output: `z.discriminatedUnion('type', [
      z.object({ type: z.literal('none') }),
      z.object({
        type: z.literal('some'),
        items: z.array(z.object({ level: z.union([z.literal(1), z.literal(2)]) })),
        pair: z.tuple([z.string(), z.number()]),
      }),
    ])`,
  },
};
