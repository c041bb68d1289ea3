import { commentOn, literalText, printType } from './print.js';
import type { TypedTool } from './tools.js';

/** The source of a module with a function for every tool: without a header, not laid out. */
export function emitTools(tools: readonly TypedTool[]): string {
  const types = tools
    .flatMap(({ declarations }) => declarations)
    .map(({ name, type }) => `export type ${name} = ${printType(type)};\n`);
  return [PREAMBLE, ...types, toolsInterface(tools), factory(tools)].join('\n');
}

const PREAMBLE = `
/** What calls a tool by its name: a task client, for one. */
export interface ToolCaller<Result, Options> {
  call(tool: string, args: { [key: string]: unknown }, options?: Options): Promise<Result>;
}

/** What is looked at in the result of a tool that says what it returns. */
export interface ToolResult {
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A tool failed, or did not return what it says it returns. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure' as const;

  constructor(
    readonly tool: string,
    readonly result: ToolResult,
  ) {
    super(\`The tool \${tool} \${result.isError === true ? 'failed' : 'returned no structured content'}.\`);
  }
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
      `${commentOn(description, false)}${identifier}(args${optional ? '?' : ''}: ${input}, ` +
      `options?: Options): Promise<${output ?? 'Result'}>;`,
  );
  return [
    '/** The tools, each as a function. Those without an output type give the whole result. */',
    'export interface Tools<Result, Options> {',
    ...methods,
    '}',
    '',
  ].join('\n');
}

function factory(tools: readonly TypedTool[]): string {
  const methods = tools.map(({ name, identifier, optional, output }) => {
    const call = `client.call(${literalText(name)}, args, options)`;
    const head = `${identifier}: async (args${optional ? ' = {}' : ''}, options) => `;
    return `${head}${output ? `structured<${output}>(${literalText(name)}, await ${call})` : `await ${call}`},`;
  });
  return [
    '/** A function for every tool, each calling it by its own name. */',
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
