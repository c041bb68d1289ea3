import { ts } from 'ts-morph';
import type { SourceUnit } from '../emit/index.js';
import { formatTypeScript } from '../emit/format/format.js';
import { declareFor } from './declare.js';
import { camelCaseOf, checkPartName, fileNameOf } from './names.js';
import { hasList, register, type ListName } from './register.js';
import { MAIN_FILE, RESOURCES_FILE, ScaffoldError, SERVER_FILE, TOOL_LIST } from './template.js';
import { testText, toolText, type ToolTraits, type PartModule } from './tool-text.js';

/** What `new` adds to a server's project. */
export type Addition =
  | { readonly kind: 'tool'; readonly name: string; readonly traits: ToolTraits }
  | { readonly kind: 'resource' | 'prompt'; readonly name: string };

export interface Added {
  /** The part, and its test if the project has tests. */
  readonly files: readonly SourceUnit[];
  /** The user's files with the part in them. */
  readonly changed: readonly SourceUnit[];
  readonly hasTest: boolean;
}

/** The text of a project's file, or undefined where there is none. */
export type ReadProject = (path: string) => string | undefined;

const LISTS = { tool: 'tools', resource: 'resources', prompt: 'prompts' } as const;

/** Where a project may list its tools, resources and prompts, in the order in which `new` looks. */
const PLACES: Readonly<Record<ListName, readonly string[]>> = {
  tools: [TOOL_LIST, SERVER_FILE, MAIN_FILE],
  resources: [RESOURCES_FILE, SERVER_FILE, MAIN_FILE],
  prompts: [RESOURCES_FILE, SERVER_FILE, MAIN_FILE],
};

/**
 * Makes a tool, a resource or a prompt for a project.
 *
 * @throws {ScaffoldError} for an invalid name, for a project without a list of such parts, and for a tool that asks
 *   users of a server that must not ask them.
 */
export async function makeAddition(addition: Addition, read: ReadProject): Promise<Added> {
  const { kind, name } = addition;
  checkPartName(kind, name);
  const part = partOf(addition);
  const list = LISTS[kind];
  const file = placeOf(list, read);
  const text = read(file) ?? '';
  const path = `src/${list}/${part.file}.ts`;
  const changes = new Map([[file, text]]);
  if (addition.kind === 'tool') await declare(addition.traits, read, changes);
  const before = changes.get(file) ?? text;
  const module = moduleFrom(file, path);
  changes.set(file, await register({ file, text: before, list, module, local: part.local }));
  const hasTest = (read('package.json') ?? '').includes('"vitest"');
  const test = kind === 'tool' ? `test/${part.file}.test.ts` : `test/${part.file}.${kind}.test.ts`;
  const files = [{ path, text: part.text }, ...(hasTest ? [{ path: test, text: part.test }] : [])];
  return {
    files: await Promise.all(
      files.map(async (each) => ({ ...each, text: await formatTypeScript(each.text) })),
    ),
    changed: Array.from(changes, ([changed, after]) => ({ path: changed, text: after })),
    hasTest,
  };
}

interface Part {
  /** The name of its file, without extension. */
  readonly file: string;
  /** The name of its variable. */
  readonly local: string;
  readonly text: string;
  readonly test: string;
}

function partOf(addition: Addition): Part {
  const { kind, name } = addition;
  const file = fileNameOf(name, kind);
  if (kind === 'tool') {
    const local = toolLocal(name);
    const { traits } = addition;
    return {
      file,
      local,
      text: toolText(name, local, traits),
      test: testText(name, { local, file }, traits),
    };
  }
  const suffix = kind === 'resource' ? 'Resource' : 'Prompt';
  const local = freeName(`${localName(name, kind)}${suffix}`, suffix);
  return kind === 'resource'
    ? {
        file,
        local,
        text: resourceText(name, local),
        test: resourceTestText(name, { local, file }),
      }
    : { file, local, text: promptText(name, local), test: promptTestText(name, { local, file }) };
}

function placeOf(list: ListName, read: ReadProject): string {
  const [first = ''] = PLACES[list];
  const found = PLACES[list].find(
    (path, index) => (index === 0 && read(path) !== undefined) || hasList(read(path), list),
  );
  if (found !== undefined) return found;
  throw new ScaffoldError(
    `Cannot find ${first} in the current folder.`,
    'Run this in a project of mcp-codegen new server.',
  );
}

/** Adds what a tool needs to the capabilities, in the file that declares them. */
async function declare(
  traits: ToolTraits,
  read: ReadProject,
  changes: Map<string, string>,
): Promise<void> {
  for (const file of [SERVER_FILE, MAIN_FILE]) {
    const text = changes.get(file) ?? read(file);
    if (text === undefined) continue;
    const declared = await declareFor(traits, file, text);
    if (declared !== text || changes.has(file)) changes.set(file, declared);
  }
}

/** `src/tools/look-up.ts` from `src/tools/index.ts` is `./look-up.js`, and from `src/main.ts` `./tools/look-up.js`. */
function moduleFrom(file: string, path: string): string {
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return `./${path.slice(folder.length).replace(/\.ts$/, '.js')}`;
}

/** `look-up` → `lookUp` */
function toolLocal(name: string): string {
  return freeName(localName(name, 'tool'), 'Tool');
}

/** What the files of a part, and the list that imports it, declare and import themselves, and what no module may declare. */
const TAKEN: ReadonlySet<string> = new Set([
  ...['tools', 'server', 'z', 'it', 'expect', 'onTestFinished', 'startTestServer', 'defineServer'],
  ...['defineTool', 'defineResource', 'definePrompt', 'eval', 'arguments'],
]);

/** A reserved word, and a name that is taken, gets a suffix. */
function freeName(camel: string, suffix: string): string {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, undefined, camel);
  const isFree = scanner.scan() === ts.SyntaxKind.Identifier && !TAKEN.has(camel);
  return isFree ? camel : `${camel}${suffix}`;
}

/** A digit gets a prefix. */
function localName(name: string, prefix: string): string {
  return camelCaseOf(name).replace(/^(?=\d)/, prefix);
}

/** The source of a prompt that the user then changes. */
function promptText(name: string, local: string): string {
  return `import { definePrompt } from '@mcp-codegen/runtime/server';
import * as z from 'zod';

export const ${local} = definePrompt({
  name: '${name}',
  description: 'Asks for a summary of a text.',
  args: z.object({ text: z.string().describe('The text') }),
  get: ({ args: { text } }) => \`Summarise this text: \${text}\`,
});
`;
}

/** Its test, which needs nothing else of the project. */
function promptTestText(name: string, { local, file }: PartModule): string {
  return `import { defineServer } from '@mcp-codegen/runtime/server';
import { startTestServer } from '@mcp-codegen/runtime/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ${local} } from '../src/prompts/${file}.js';

const server = defineServer({
  name: 'test',
  version: '1.0.0',
  tools: [],
  prompts: [${local}],
});

it('the prompt ${name} contains its argument', async () => {
  const app = await startTestServer(server);
  onTestFinished(() => app.close());
  for (const way of app.ways) {
    const { messages } = await (await app.client(way)).prompt('${name}', { text: 'Hello' });
    expect(messages, way).toMatchObject([
      { role: 'user', content: { type: 'text', text: 'Summarise this text: Hello' } },
    ]);
  }
});
`;
}

/** The source of a resource that the user then changes. */
function resourceText(name: string, local: string): string {
  return `import { defineResource } from '@mcp-codegen/runtime/server';

export const ${local} = defineResource({
  uri: '${uriOf(name)}',
  name: '${name}',
  description: 'A text that clients can read.',
  mimeType: 'text/plain',
  read: () => ({ text: 'Hello' }),
});
`;
}

/** Its test, which needs nothing else of the project. */
function resourceTestText(name: string, { local, file }: PartModule): string {
  return `import { defineServer } from '@mcp-codegen/runtime/server';
import { startTestServer } from '@mcp-codegen/runtime/testing';
import { expect, it, onTestFinished } from 'vitest';
import { ${local} } from '../src/resources/${file}.js';

const server = defineServer({
  name: 'test',
  version: '1.0.0',
  tools: [],
  resources: [${local}],
});

it('the resource ${name} is a text', async () => {
  const app = await startTestServer(server);
  onTestFinished(() => app.close());
  for (const way of app.ways) {
    const { contents } = await (await app.client(way)).read('${uriOf(name)}');
    expect(contents, way).toMatchObject([{ text: 'Hello' }]);
  }
});
`;
}

function uriOf(name: string): string {
  return `app://resources/${name}`;
}
