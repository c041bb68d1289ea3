import { quote } from '../diagnostics/index.js';
import { Project, SyntaxKind, ts } from 'ts-morph';
import type { SourceUnit } from '../emit/index.js';
import { formatTypeScript } from '../format/format.js';
import { checkToolName } from './names.js';
import { ScaffoldError, TOOL_LIST } from './template.js';

export interface NewTool {
  /** The tool, and its test. */
  readonly files: readonly SourceUnit[];
  /** The list, with the tool in it. */
  readonly list: SourceUnit;
}

/** The parts of a project that a new tool depends on. */
export interface ToolProject {
  /** The text of its list of tools. */
  readonly list: string;
  /** Whether `test/app.ts` connects clients; a minimal project has no such file. */
  readonly hasTestApp: boolean;
}

/**
 * Makes a tool for a project.
 *
 * @throws {ScaffoldError} for an invalid name, and for a file without a list of tools.
 */
export async function makeTool(name: string, project: ToolProject): Promise<NewTool> {
  checkToolName(name);
  const local = localName(name);
  return {
    files: [
      { path: `src/tools/${name}.ts`, text: toolText(name, local) },
      {
        path: `test/${name}.test.ts`,
        text: project.hasTestApp ? testText(name) : minimalTestText(name),
      },
    ],
    list: { path: TOOL_LIST, text: await register(project.list, name, local) },
  };
}

async function register(text: string, name: string, local: string): Promise<string> {
  const file = new Project({ useInMemoryFileSystem: true }).createSourceFile('index.ts', text);
  const list = file
    .getVariableDeclaration('tools')
    ?.getInitializerIfKind(SyntaxKind.ArrayLiteralExpression);
  if (!list) {
    throw new ScaffoldError(
      `${TOOL_LIST} has no array named tools.`,
      `Add to ${TOOL_LIST}: export const tools = [];`,
    );
  }
  if (file.getImportDeclaration(`./${name}.js`)) return text;
  const taken = file.getImportDeclarations().flatMap((each) => each.getNamedImports());
  if (taken.some((each) => (each.getAliasNode()?.getText() ?? each.getName()) === local)) {
    throw new ScaffoldError(
      `${TOOL_LIST} already imports another ${quote(local)}.`,
      'Give the tool another name.',
    );
  }
  file.addImportDeclaration({ moduleSpecifier: `./${name}.js`, namedImports: [local] });
  list.addElement(local);
  return await formatTypeScript(file.getFullText());
}

/** `look-up` → `lookUp`; a reserved word gets a suffix. */
function localName(name: string): string {
  const camel = name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, undefined, camel);
  return scanner.scan() === ts.SyntaxKind.Identifier && camel !== 'tools' ? camel : `${camel}Tool`;
}

function toolText(name: string, local: string): string {
  return `import * as z from 'zod';
import { defineTool } from '@mcp-codegen/runtime/server';

export const ${local} = defineTool({
  name: '${name}',
  description: 'Says what it was told.',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  run: ({ args: { text } }) => ({ text }),
});
`;
}

function testText(name: string): string {
  return `import { expect, it } from 'vitest';
import { connect } from './app.js';

it('${name} says what it was told', async () => {
  const { client } = await connect({ mode: 'auto' });
  const result = await client.callTool({ name: '${name}', arguments: { text: 'Hello' } });
  expect(result.structuredContent).toEqual({ text: 'Hello' });
});
`;
}

function minimalTestText(name: string): string {
  return `import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { serveStdio } from '@mcp-codegen/runtime/server';
import { createMemoryStore } from '@mcp-codegen/runtime/stores/memory';
import { expect, it, onTestFinished } from 'vitest';
import { createServer } from '../src/server.js';

it('${name} says what it was told', async () => {
  const server = await createServer(createMemoryStore());
  onTestFinished(() => server.close());
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  serveStdio(server, serverSide);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(clientSide);
  const result = await client.callTool({ name: '${name}', arguments: { text: 'Hello' } });
  expect(result.structuredContent).toEqual({ text: 'Hello' });
});
`;
}
