import { DIALECT_REVISIONS, revisionsWhere } from '../ir/revisions/index.js';
import type { Features, Slot } from './template.js';

/** What differs in the sources of a server. */
export const SERVER_SOURCES: readonly Slot[] = [
  ...['src/main.ts', 'src/main.minimal.ts'].flatMap((file): Slot[] => [
    { file, text: importOf },
    { file, text: partsOf },
  ]),
  ...['src/server.ts', 'src/main.minimal.ts'].flatMap((file): Slot[] => [
    { file, text: (features) => (features.has('ext') ? EXTENSION : '') },
    { file, text: (features) => capabilitiesOf(features, file === 'src/server.ts') },
    { file, text: revisionsOf },
  ]),
  {
    file: 'src/server.ts',
    text: (features) =>
      features.has('forms')
        ? 'Counts words and primes, looks orders up and books rooms.'
        : 'Counts words and primes, and looks orders up.',
  },
  {
    file: 'src/tools/index.ts',
    text: (features) =>
      features.has('forms') ? `import { bookRoom } from './book-room.js';\n` : '',
  },
  {
    file: 'src/tools/index.ts',
    text: (features) =>
      `[countWords, countPrimes, ${features.has('forms') ? 'bookRoom, ' : ''}findOrder]`,
  },
];

const EXTENSION = `import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';\n`;

function importOf(features: Features): string {
  const parts = [transportOf(features), authorizationOf(features), storeOf(features)];
  const names = ['runServer', ...parts].filter((name) => name !== undefined).sort();
  return `import { ${names.join(', ')} } from '@mcp-codegen/runtime/program';`;
}

function partsOf(features: Features): string {
  const authorization = authorizationOf(features);
  const options = authorization === undefined ? '' : `{ auth: ${authorization}() }`;
  const isOpen = features.has('http') && authorization === undefined;
  return `${isOpen ? OPEN : ''}  transport: ${transportOf(features)}(${options}),
  store: ${storeOf(features)}(),
`;
}

const OPEN = '  // Without authorization, any program on this machine may use the server.\n';

function transportOf(features: Features): string {
  return features.has('http') ? 'http' : 'stdio';
}

function authorizationOf(features: Features): string | undefined {
  if (features.has('jwt')) return 'jwt';
  return features.has('bearer') ? 'introspection' : undefined;
}

function storeOf(features: Features): string {
  return ['memory', 'sqlite', 'postgres'].find((store) => features.has(store)) ?? '';
}

function revisionsOf(features: Features): string {
  const names = revisionsWhere(() => true).filter((name) => features.has(name));
  return `revisions: [${names
    .reverse()
    .map((name) => `'${name}'`)
    .join(', ')}],`;
}

/** What the server declares, with a comment for each part or without. */
function capabilitiesOf(features: Features, commented: boolean): string {
  const indent = commented ? '    ' : '  ';
  const parts = [
    [`Tasks of revision ${DIALECT_REVISIONS.core}.`, coreOf(features)],
    [`The tasks extension of revision ${DIALECT_REVISIONS.ext}.`, extOf(features)],
    ['What tools may ask clients for.', asksOf(features)],
  ].flatMap(([comment, text]) => {
    if (!text) return [];
    return commented ? [`// ${comment}`, text] : [text];
  });
  if (parts.length === 0) return `${indent}capabilities: {},\n`;
  const lines = parts.map((line) => `${indent}  ${line}\n`).join('');
  return `${indent}capabilities: {\n${lines}${indent}},\n`;
}

function coreOf(features: Features): string {
  if (!features.has('core')) return '';
  const list = features.has('tasks-list') ? 'list: {}, ' : '';
  const cancel = features.has('tasks-cancel') ? 'cancel: {}, ' : '';
  return `core: { tasks: { ${list}${cancel}requests: { tools: { call: {} } } } },`;
}

function extOf(features: Features): string {
  return features.has('ext') ? 'ext: { extensions: { [EXTENSION_ID]: {} } },' : '';
}

function asksOf(features: Features): string {
  const kinds = [
    ...(features.has('elicitation-form') ? ['form: {}'] : []),
    ...(features.has('elicitation-url') ? ['url: {}'] : []),
  ];
  const asks = [
    ...(kinds.length > 0 ? [`elicitation: { ${kinds.join(', ')} }`] : []),
    ...(features.has('sampling') ? ['sampling: {}'] : []),
    ...(features.has('roots') ? ['roots: {}'] : []),
  ];
  return asks.length > 0 ? `asks: { ${asks.join(', ')} },` : '';
}
