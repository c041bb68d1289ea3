import { DIALECT_REVISIONS } from '../ir/revisions/index.js';
import { managerOf, scriptOf } from './managers.js';
import type { Features, Slot } from './template.js';

const CLIENT_FILE = 'src/client.ts';
const TEST_FILE = 'test/main.test.ts';

/** What differs in the sources of a client. */
export const CLIENT_SOURCES: readonly Slot[] = [
  ...['README.md', 'README.minimal.md'].map((file): Slot => ({ file, text: stepsOf })),
  inClient('roots', `import { pathToFileURL } from 'node:url';\n`),
  { file: CLIENT_FILE, text: typesOf },
  { file: CLIENT_FILE, text: nodeImportOf },
  inClient(
    'tasks-extension',
    `import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';\n`,
  ),
  { file: CLIENT_FILE, text: elicitationOf },
  inClient('sampling', '  sampling: {},\n'),
  inClient('roots', '  roots: {},\n'),
  { file: CLIENT_FILE, text: receiverOf },
  inClient(
    'tasks-extension',
    `  // Tool calls may become tasks in ${DIALECT_REVISIONS.ext}. Core tasks need no declaration.
  extensions: { [EXTENSION_ID]: {} },
`,
  ),
  { file: CLIENT_FILE, text: answersOf },
  inClient('answers', '    answer: ANSWERS,\n'),
  inClient('tasks-extension', `      'notifications/tasks': ({ status }) => showStatus(status),\n`),
  inTest(
    `import { mkdtempSync, readdirSync } from 'node:fs';`,
    `import { mkdtempSync } from 'node:fs';`,
  ),
  inTest(
    `import { afterAll, expect, it, vi } from 'vitest';`,
    `import { afterAll, expect, it } from 'vitest';`,
  ),
  inTest(
    `
it('resumes a task after kill -9', async () => {
  const first = start('work', '{"ms":3000}');
  await vi.waitFor(() => expect(readdirSync(\`\${cwd}/.tasks\`).join()).toMatch(/json$/), 30_000);
  first.kill('SIGKILL');
  expect(await text(start().stdout)).toBe('done\\n');
});
`,
    '',
  ),
];

/** A text of `src/client.ts` that needs a feature. */
function inClient(feature: string, text: string): Slot {
  return { file: CLIENT_FILE, text: (features) => (features.has(feature) ? text : '') };
}

/** A text of the test where calls may become tasks, and the text where they cannot. */
function inTest(text: string, without: string): Slot {
  return {
    file: TEST_FILE,
    text: (features) => (features.has('tasks-extension') ? text : without),
  };
}

function stepsOf(features: Features): string {
  return `${managerOf(features).name} install\n${scriptOf(features, 'build')}\n`;
}

function typesOf(features: Features): string {
  const names = features.has('answers') ? 'InputHandlers, TaskClient' : 'TaskClient';
  return `import type { ${names} } from '@mcp-codegen/runtime/client';`;
}

function nodeImportOf(features: Features): string {
  const asks = ['elicitation-form', 'elicitation-url', 'sampling'].some((each) =>
    features.has(each),
  );
  return `import { ${asks ? 'ask, ' : ''}createTaskClient } from '@mcp-codegen/runtime/client/node';`;
}

function elicitationOf(features: Features): string {
  const kinds = [
    ...(features.has('elicitation-form') ? ['form: {}'] : []),
    ...(features.has('elicitation-url') ? ['url: {}'] : []),
  ];
  return kinds.length > 0 ? `  elicitation: { ${kinds.join(', ')} },\n` : '';
}

function receiverOf(features: Features): string {
  const requests = [
    ...(features.has('elicitation-tasks') ? ['elicitation: { create: {} }'] : []),
    ...(features.has('sampling-tasks') ? ['sampling: { createMessage: {} }'] : []),
  ];
  if (requests.length === 0) return '';
  return `  // The server may run its questions as core tasks.
  tasks: {
    list: {},
    cancel: {},
    requests: { ${requests.join(', ')} },
  },
`;
}

/** The handlers, by the capability that each answers for. */
const HANDLERS: Readonly<Record<string, string>> = {
  'elicitation-form': `  async form({ message, requestedSchema }, { signal }) {
    const content: Record<string, string | number | boolean | string[]> = {};
    for (const [name, field] of Object.entries(requestedSchema.properties)) {
      const question = \`\${printable(message)}\\n\${name} \${JSON.stringify(field)}:\`;
      let text = await ask(question, signal);
      const isNumber = field.type === 'number' || field.type === 'integer';
      while (isNumber && text && !Number.isFinite(Number(text))) text = await ask(question, signal);
      if (text === undefined) return { action: 'cancel' };
      if (text === '') continue; // The server decides whether it needs the field.
      if (field.type === 'boolean') content[name] = /^(true|yes|y)$/i.test(text);
      else if (field.type === 'array') content[name] = text.split(',');
      else content[name] = field.type === 'string' ? text : Number(text);
    }
    return { action: 'accept', content };
  },
`,
  'elicitation-url': `  // The user opens the address, because a server must not open a browser.
  async url({ message, url }, { signal }) {
    const text = await ask(\`\${printable(message)}\\nOpen \${url} and enter "done":\`, signal);
    return { action: text === 'done' ? 'accept' : 'decline' };
  },
`,
  sampling: `  // The user writes the reply. To let a language model reply, call it here.
  async sampling({ messages }, { signal }) {
    const text = await ask(\`\${JSON.stringify(messages)}\\nYour reply:\`, signal);
    if (text === undefined || text === '') throw new Error('The user declined');
    return { model: 'user', role: 'assistant', content: { type: 'text', text } };
  },
`,
  roots: '  roots: () => ({ roots: [{ uri: pathToFileURL(process.cwd()).href }] }),\n',
};

function answersOf(features: Features): string {
  if (!features.has('answers')) return '';
  const handlers = Object.entries(HANDLERS).flatMap(([feature, text]) =>
    features.has(feature) ? [text] : [],
  );
  return `// Answers to the requests of a server.
const ANSWERS: InputHandlers = {
${handlers.join('')}};

`;
}
