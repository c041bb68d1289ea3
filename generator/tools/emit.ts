import { docComment } from '../emit/comment.js';
import { declarationsOf } from '../emit/types/emit-types.js';
import { formatTypeScript } from '../emit/format/format.js';
import { quoted } from '../emit/format/layout.js';
import type { TypedTool } from './tools.js';

/**
 * The source of a module with a function for every tool, without a header. It loads the module of
 * `emitToolValidators` from `validators` when a user wants checks.
 */
export async function emitTools(tools: readonly TypedTool[], validators: string): Promise<string> {
  const types = await declarationsOf(tools.flatMap((tool) => tool.types));
  // A function that no tool uses is an error under the compiler's `noUnusedLocals`.
  const needed = tools.some(({ output }) => output) ? STRUCTURED : '';
  const [above, below] = await Promise.all([
    formatTypeScript(PREAMBLE + needed),
    formatTypeScript([toolsInterface(tools), factory(tools), checked(validators)].join('\n')),
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

export interface ToolsOptions {
  /**
   * Validate arguments before they are sent, and structured content when it arrives. A \`ToolMismatch\` is
   * thrown for what does not match the tool's schema. Default: false.
   */
  readonly check?: boolean | undefined;
}

/** One error of a value. Long texts in it are cut. */
export interface ToolError {
  /** The JSON pointer to the value, or to the place of a missing one. */
  readonly pointer: string;
  readonly expected: string;
  readonly received: string;
  /** A sentence for users. */
  readonly message: string;
}

/** Arguments or structured content do not match the tool's schema. Its message contains the first ten errors. */
export class ToolMismatch extends Error {
  override readonly name = 'ToolMismatch' as const;
  readonly tool: string;
  readonly part: 'arguments' | 'structured content';
  /** All errors, up to 100. */
  readonly errors: readonly ToolError[];

  constructor(
    tool: string,
    part: 'arguments' | 'structured content',
    errors: readonly ToolError[],
  ) {
    const more = errors.length > 10 ? [\`\${errors.length - 10} more errors.\`] : [];
    const verb = part === 'arguments' ? 'do' : 'does';
    const head = \`The \${part} of the tool \${visible(tool)} \${verb} not match its schema:\`;
    const shown = errors.slice(0, 10).map(({ message }) => visible(message));
    super([head, ...shown, ...more].join(' '));
    this.tool = tool;
    this.part = part;
    this.errors = errors;
  }
}

/** A tool failed, or returned no structured content. Its message contains the start of the tool's text. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure' as const;
  readonly tool: string;
  readonly result: ToolResult;

  constructor(tool: string, result: ToolResult) {
    super(messageOf(tool, result));
    this.tool = tool;
    this.result = result;
  }
}

/** What happened, with the start of the result's text, whose control characters are escaped. */
function messageOf(tool: string, { isError, content = [] }: ToolResult): string {
  const what = \`The tool \${tool} \${isError === true ? 'failed' : 'returned no structured content'}\`;
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\\n').slice(0, 1_001);
  if (text === '') return \`\${what}.\`;
  const start = text.length > 1_000 ? \`\${text.slice(0, 1_000)}…\` : text;
  return \`\${what}: \${visible(start)}\`;
}

/** Control characters and other invisible ones, escaped. */
function visible(text: string): string {
  return text.replace(
    /[^\\P{C}\\n\\t]|[\\u2028\\u2029]/gu,
    (character) => \`\\\\u{\${(character.codePointAt(0) ?? 0).toString(16)}}\`,
  );
}
`;

const STRUCTURED = `
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
  // An underscore, because the compiler's `noUnusedParameters` refuses a type parameter that no tool uses.
  const result = tools.every(({ output }) => output) ? '_Result' : 'Result';
  const options = tools.length > 0 ? 'Options' : '_Options';
  return [
    '/** The tools as functions. A tool without an output schema returns the whole result. */',
    `export interface Tools<${result}, ${options}> {`,
    ...methods,
    '}',
    '',
  ].join('\n');
}

function factory(tools: readonly TypedTool[]): string {
  const methods = tools.map(({ name, identifier, optional, output }) => {
    const call = `caller.call(${quoted(name)}, args, options)`;
    const head = `${identifier}: async (args${optional ? ' = {}' : ''}, options) => `;
    return `${head}${output ? `structured<${output.name}>(${quoted(name)}, await ${call})` : `await ${call}`},`;
  });
  return [
    '/** Makes a function for every tool. */',
    'export function createTools<Result extends ToolResult, Options>(',
    'client: ToolCaller<Result, Options>,',
    '{ check = false }: ToolsOptions = {},',
    '): Tools<Result, Options> {',
    'const caller = check ? checked(client) : client;',
    ...(tools.length === 0 ? ['void caller;'] : []),
    'return {',
    ...methods,
    '};',
    '}',
    '',
    '/** A client together with its tools: `typed.tools.name({ … })`. */',
    'export function withTools<Result extends ToolResult, Options, Client>(',
    'client: Client & ToolCaller<Result, Options>,',
    'options?: ToolsOptions,',
    '): { readonly client: Client; readonly tools: Tools<Result, Options> } {',
    'return { client, tools: createTools(client, options) };',
    '}',
    '',
  ].join('\n');
}

/** The checks are a module of their own, which a program without them does not load. */
function checked(validators: string): string {
  return `
/** A client that checks arguments and structured content by the schemas of the tools. */
function checked<Result extends ToolResult, Options>(
  client: ToolCaller<Result, Options>,
): ToolCaller<Result, Options> {
  const refuse = (
    tool: string,
    part: ToolMismatch['part'],
    verdict: { readonly ok: boolean; readonly errors?: readonly ToolError[] } | undefined,
  ): void => {
    if (verdict?.ok === false) throw new ToolMismatch(tool, part, verdict.errors ?? []);
  };
  return {
    async call(tool, args, options) {
      const { toolChecks } = await import('${validators}');
      const checks = toolChecks.get(tool);
      refuse(tool, 'arguments', checks?.input(args));
      const result = await client.call(tool, args, options);
      const { isError, structuredContent } = result;
      if (isError !== true && structuredContent !== undefined) {
        refuse(tool, 'structured content', checks?.output?.(structuredContent));
      }
      return result;
    },
  };
}
`;
}
