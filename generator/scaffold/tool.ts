import { ts } from 'ts-morph';
import type { SourceUnit } from '../emit/index.js';
import { declareFor } from './declare.js';
import { camelCaseOf, checkToolName, fileNameOf } from './names.js';
import { SERVER_FILE, TOOL_LIST } from './template.js';
import { register } from './tool-list.js';
import { minimalTestText, testText, toolText } from './tool-text.js';
import type { ToolTraits } from './tool-text.js';

export interface NewTool {
  /** The tool, and its test. */
  readonly files: readonly SourceUnit[];
  /** The list with the tool in it, and the server with what the tool needs in its declaration. */
  readonly changed: readonly SourceUnit[];
}

/** The parts of a project that a new tool depends on. */
export interface ToolProject {
  /** The text of its list of tools. */
  readonly list: string;
  /** The text of its server, unless the user keeps it in another file. */
  readonly server: string | undefined;
  /** Whether `test/app.ts` connects clients; a minimal project has no such file. */
  readonly hasTestApp: boolean;
}

/**
 * Makes a tool for a project.
 *
 * @throws {ScaffoldError} for an invalid name, for a file without a list of tools, and for a tool that asks
 *   users of a server that must not ask them.
 */
export async function makeTool(
  name: string,
  traits: ToolTraits,
  project: ToolProject,
): Promise<NewTool> {
  checkToolName(name);
  const local = localName(name);
  const file = fileNameOf(name);
  const { server } = project;
  const declared = server === undefined ? undefined : await declareFor(traits, server);
  const test = project.hasTestApp ? testText : minimalTestText;
  return {
    files: [
      { path: `src/tools/${file}.ts`, text: toolText(name, local, traits) },
      { path: `test/${file}.test.ts`, text: test(name, traits) },
    ],
    changed: [
      { path: TOOL_LIST, text: await register(project.list, file, local) },
      ...(declared === undefined ? [] : [{ path: SERVER_FILE, text: declared }]),
    ],
  };
}

/** `look-up` → `lookUp`; a reserved word gets a suffix, and a digit a prefix. */
function localName(name: string): string {
  const camel = camelCaseOf(name).replace(/^(?=\d)/, 'tool');
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, undefined, camel);
  return scanner.scan() === ts.SyntaxKind.Identifier && camel !== 'tools' ? camel : `${camel}Tool`;
}
