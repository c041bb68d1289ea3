import { docComment } from '../emit/comment.js';
import { declarationsOf } from '../emit/types/emit-types.js';
import { formatTypeScript } from '../format/format.js';
import { quoted } from '../format/layout.js';
import type { TypedTool } from './tools.js';

/** The source of a module with a function for every tool, without a header. */
export async function emitTools(tools: readonly TypedTool[]): Promise<string> {
  const types = await declarationsOf(tools.flatMap((tool) => tool.types));
  const [above, below] = await Promise.all([
    formatTypeScript(PREAMBLE),
    formatTypeScript([toolsInterface(tools), factory(tools)].join('\n')),
  ]);
  return [above, types, below].join('\n');
}

const PREAMBLE = `
/** A client that calls a tool by its name, such as a task client. */
export interface ToolCaller<Result, Options> {
  call(tool: string, args: { [key: string]: unknown }, options?: Options): Promise<Result>;
}

/** The parts of a result that a tool with an output schema needs. */
export interface ToolResult {
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
  readonly content?: readonly { readonly type: string; readonly text?: unknown }[];
}

/** A tool failed, or returned no structured content. Its message contains the start of the tool's text. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure' as const;

  constructor(
    readonly tool: string,
    readonly result: ToolResult,
  ) {
    super(messageOf(tool, result));
  }
}

/** What happened, with the start of the result's text, whose control characters are escaped. */
function messageOf(tool: string, { isError, content = [] }: ToolResult): string {
  const what = \`The tool \${tool} \${isError === true ? 'failed' : 'returned no structured content'}\`;
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\\n').slice(0, 1_001);
  if (text === '') return \`\${what}.\`;
  const start = text.length > 1_000 ? \`\${text.slice(0, 1_000)}…\` : text;
  const shown = start.replace(
    /[^\\P{C}\\n\\t]|[\\u2028\\u2029]/gu,
    (character) => \`\\\\u{\${(character.codePointAt(0) ?? 0).toString(16)}}\`,
  );
  return \`\${what}: \${shown}\`;
}

function structured<T>(tool: string, result: ToolResult): T {
  if (result.isError === true || result.structuredContent === undefined) {
    throw new ToolFailure(tool, result);
  }
  return result.structuredContent as T;
}
`;

function toolsInterface(tools: readonly TypedTool[]): string {
  const methods = tools.map(
    ({ identifier, description, input, optional, output }) =>
      `${docComment(description)}${identifier}(args${optional ? '?' : ''}: ${input.name}, ` +
      `options?: Options): Promise<${output?.name ?? 'Result'}>;`,
  );
  return [
    '/** The tools as functions. A tool without an output schema returns the whole result. */',
    'export interface Tools<Result, Options> {',
    ...methods,
    '}',
    '',
  ].join('\n');
}

function factory(tools: readonly TypedTool[]): string {
  const methods = tools.map(({ name, identifier, optional, output }) => {
    const call = `client.call(${quoted(name)}, args, options)`;
    const head = `${identifier}: async (args${optional ? ' = {}' : ''}, options) => `;
    return `${head}${output ? `structured<${output.name}>(${quoted(name)}, await ${call})` : `await ${call}`},`;
  });
  return [
    '/** Makes a function for every tool. */',
    'export function createTools<Result extends ToolResult, Options>(',
    'client: ToolCaller<Result, Options>,',
    '): Tools<Result, Options> {',
    'return {',
    ...methods,
    '};',
    '}',
    '',
    '/** A client together with its tools: `typed.tools.name({ … })`. */',
    'export function withTools<Result extends ToolResult, Options, Client>(',
    'client: Client & ToolCaller<Result, Options>,',
    '): { readonly client: Client; readonly tools: Tools<Result, Options> } {',
    'return { client, tools: createTools(client) };',
    '}',
    '',
  ].join('\n');
}
