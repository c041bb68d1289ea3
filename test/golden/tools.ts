/* eslint-disable */

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
   * Validate arguments before they are sent, and structured content when it arrives. A `ToolMismatch` is
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
    const more = errors.length > 10 ? [`${errors.length - 10} more errors.`] : [];
    const verb = part === 'arguments' ? 'do' : 'does';
    const head = `The ${part} of the tool ${visible(tool)} ${verb} not match its schema:`;
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
  const what = `The tool ${tool} ${isError === true ? 'failed' : 'returned no structured content'}`;
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\n').slice(0, 1_001);
  if (text === '') return `${what}.`;
  const start = text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
  return `${what}: ${visible(start)}`;
}

/** Control characters and other invisible ones, escaped. */
function visible(text: string): string {
  return text.replace(
    /[^\P{C}\n\t]|[\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function structured<T>(tool: string, result: ToolResult): T {
  if (result.isError === true || result.structuredContent === undefined) {
    throw new ToolFailure(tool, result);
  }
  return result.structuredContent as T;
}

export type FailInput = {
  [k: string]: unknown;
};

export type FailOutput = {
  never: string;
};

export type PingInput = {
  [k: string]: unknown;
};

export type SlowComputeInput = {
  /**
   * How long.
   */
  seconds: number;
  mode?: 'fast' | 'exact';
};

export type SlowComputeOutput = {
  value: number;
  unit: 's' | null;
};

export type WalkTreeInput = {
  root: WalkTreeInputSchema0;
  where: string | [number, number];
};

export type WalkTreeInputSchema0 = {
  name: string;
  children?: WalkTreeInputSchema0[];
};

export type WalkTreeOutput = {
  sizes: {
    [k: string]: number;
  };
};

/** The tools as functions. A tool without an output schema returns the whole result. */
export interface Tools<Result, Options> {
  /**
   * Fails.
   */
  fail(args?: FailInput, options?: Options): Promise<FailOutput>;
  /**
   * Answers.
   */
  ping(args?: PingInput, options?: Options): Promise<Result>;
  /**
   * Computes, slowly. *\/ `${0}`
   */
  slowCompute(args: SlowComputeInput, options?: Options): Promise<SlowComputeOutput>;
  /**
   * Counts.
   */
  walkTree(args: WalkTreeInput, options?: Options): Promise<WalkTreeOutput>;
}

/** Makes a function for every tool. */
export function createTools<Result extends ToolResult, Options>(
  client: ToolCaller<Result, Options>,
  { check = false }: ToolsOptions = {},
): Tools<Result, Options> {
  const caller = check ? checked(client) : client;
  return {
    fail: async (args = {}, options) =>
      structured<FailOutput>('fail', await caller.call('fail', args, options)),
    ping: async (args = {}, options) => await caller.call('ping', args, options),
    slowCompute: async (args, options) =>
      structured<SlowComputeOutput>(
        'slow_compute',
        await caller.call('slow_compute', args, options),
      ),
    walkTree: async (args, options) =>
      structured<WalkTreeOutput>('walk-tree', await caller.call('walk-tree', args, options)),
  };
}

/** A client together with its tools: `typed.tools.name({ … })`. */
export function withTools<Result extends ToolResult, Options, Client>(
  client: Client & ToolCaller<Result, Options>,
  options?: ToolsOptions,
): { readonly client: Client; readonly tools: Tools<Result, Options> } {
  return { client, tools: createTools(client, options) };
}

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
      const { toolChecks } = await import('../tools/unchecked.js');
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
