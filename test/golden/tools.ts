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
  const what = `The tool ${tool} ${isError === true ? 'failed' : 'returned no structured content'}`;
  const texts = content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\n').slice(0, 1_001);
  if (text === '') return `${what}.`;
  const start = text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
  const shown = start.replace(
    /[^\P{C}\n\t]|[\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
  return `${what}: ${shown}`;
}

function structured<T>(tool: string, result: ToolResult): T {
  if (result.isError === true || result.structuredContent === undefined) {
    throw new ToolFailure(tool, result);
  }
  return result.structuredContent as T;
}

export type FailInput = {
  [key: string]: unknown;
};

export type FailOutput = {
  never: string;
};

export type PingInput = {
  [key: string]: unknown;
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
    [key: string]: number;
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
): Tools<Result, Options> {
  return {
    fail: async (args = {}, options) =>
      structured<FailOutput>('fail', await client.call('fail', args, options)),
    ping: async (args = {}, options) => await client.call('ping', args, options),
    slowCompute: async (args, options) =>
      structured<SlowComputeOutput>(
        'slow_compute',
        await client.call('slow_compute', args, options),
      ),
    walkTree: async (args, options) =>
      structured<WalkTreeOutput>('walk-tree', await client.call('walk-tree', args, options)),
  };
}

/** A client together with its tools: `typed.tools.name({ … })`. */
export function withTools<Result extends ToolResult, Options, Client>(
  client: Client & ToolCaller<Result, Options>,
): { readonly client: Client; readonly tools: Tools<Result, Options> } {
  return { client, tools: createTools(client) };
}
