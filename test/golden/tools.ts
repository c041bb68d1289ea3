/* eslint-disable */

/** A client that calls a tool by its name, such as a task client. */
export interface ToolCaller<Result, Options> {
  call(tool: string, args: { [key: string]: unknown }, options?: Options): Promise<Result>;
}

/** The parts of a result that a tool with an output schema needs. */
export interface ToolResult {
  readonly structuredContent?: unknown;
  readonly isError?: boolean | undefined;
}

/** A tool failed, or returned no structured content. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure' as const;

  constructor(
    readonly tool: string,
    readonly result: ToolResult,
  ) {
    super(
      `The tool ${tool} ${result.isError === true ? 'failed' : 'returned no structured content'}.`,
    );
  }
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
