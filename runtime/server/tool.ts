import type * as z from 'zod';

import type { CallToolResult, ContentBlock, Tool } from '../../generated/2025-11-25/types.js';
import { type CallerIdentity, type JsonObject, merged, type TaskControls } from '../tasks/index.js';
import type { Ask } from './asks.js';
import { assertDefinition, jsonSchemaOf } from '../definitions/index.js';
import { INTERNAL_ERROR, rpcError } from './errors.js';
import type { RequestContext } from './request-context.js';

/** Whether a tool may, must or must not run as a task. */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

export interface ToolCall<Args> {
  /** The arguments as the input schema parsed them. */
  readonly args: Args;
  /** Signal, progress, status and questions to the user: the same for a plain call and for a task. */
  readonly task: TaskControls;
  /**
   * Who made the call, the same in a plain call and in a task, on every node and after a restart. Undefined where
   * nothing identifies callers: over stdio, where the only one is the user who started the server, and with
   * `allowUnidentified`.
   */
  readonly caller: CallerIdentity | undefined;
  /** The request, while there is one: its headers, the client's capabilities, log messages. A task has none. */
  readonly request: RequestContext | undefined;
}

/** Without an output schema a tool returns text or a whole result. */
export type ToolOutput = string | Pick<CallToolResult, 'content'> | CallToolResult;

type Returned<O extends z.ZodObject | undefined> = O extends z.ZodObject ? z.input<O> : ToolOutput;

export interface ToolDefinition<
  I extends z.ZodObject,
  O extends z.ZodObject | undefined,
  S extends TaskSupport = TaskSupport,
  A extends Ask = Ask,
> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly input: I;
  /** With it, `run` returns a value of this schema, which becomes `structuredContent`. */
  readonly output?: O;
  readonly annotations?: Tool['annotations'];
  readonly icons?: Tool['icons'];
  readonly meta?: JsonObject;
  /**
   * Scopes that the caller's token needs beside those of `auth`. Without them the answer over HTTP is 403 with the
   * challenge by which a client asks for them. Default: none.
   */
  readonly scopes?: readonly string[];
  /** Default: forbidden. */
  readonly taskSupport?: S;
  /** The input that `prepare` and `run` ask the client for. The server's capabilities have to declare it. */
  readonly asks?: readonly A[];
  /**
   * Whether `run` may start again from the beginning: after a crash, and, in a plain call of revision
   * 2026-07-28, after each question to the user. Default: no.
   */
  readonly retryable?: boolean;
  /**
   * Whether everything in `run` that must not happen twice is in `task.step`. Then a task also starts again after a
   * crash before the record of its first step. A plain call does not start again: it records no steps. Default: no.
   */
  readonly steps?: boolean;
  /** The text that a host may give its model at once when a call has become a task. Core dialect only. */
  readonly immediateResponse?: string;
  /**
   * Completes the arguments before the call is answered or becomes a task, for instance by asking for
   * a missing argument. Starts again from the beginning after each answer.
   */
  readonly prepare?: (call: ToolCall<z.output<I>>) => Promise<z.input<I>>;
  /**
   * Throw an `Error` whose message the model should read, or an object with a negative `code` and a
   * `message` for a JSON-RPC error.
   */
  readonly run: (call: ToolCall<z.output<I>>) => Returned<O> | Promise<Returned<O>>;
}

/** A tool of any schema, as the server sees it. */
export interface ServerTool<S extends TaskSupport = TaskSupport, A extends Ask = Ask> {
  readonly name: string;
  /** Those that the caller's token needs. */
  readonly scopes: readonly string[];
  readonly taskSupport: S;
  /** The input that it declares to ask clients for. */
  readonly asks?: readonly A[];
  readonly retryable: boolean;
  readonly steps: boolean;
  readonly immediateResponse: string | undefined;
  /** Without `execution`, which only the core dialect has. */
  readonly listing: Tool;
  /** What is wrong with arguments; undefined for valid ones. */
  readonly validationError: (args: unknown) => Promise<string | undefined>;
  readonly prepare: ((call: ToolCall<unknown>) => Promise<JsonObject>) | undefined;
  /** Gets unchecked arguments. Rejects with `-32603` for a result that does not match the schemas. */
  readonly run: (call: ToolCall<unknown>) => Promise<JsonObject>;
}

/** Throws a TypeError for a wrong definition, which names the tool, the key and the mend. */
export function defineTool<
  I extends z.ZodObject,
  O extends z.ZodObject | undefined = undefined,
  const S extends TaskSupport = 'forbidden',
  const A extends Ask = never,
>(definition: ToolDefinition<I, O, S, A>): ServerTool<S, A> {
  assertDefinition(definition);
  const { name, title, description, input, output, annotations, icons, meta, prepare } = definition;

  async function parsed(args: unknown): Promise<z.output<I>> {
    const result = await input.safeParseAsync(args ?? {});
    if (result.success) return result.data;
    throw new Error(`Invalid arguments for tool ${name}: ${issuesOf(result.error)}`);
  }

  return {
    name,
    scopes: definition.scopes ?? [],
    // Without it, S is its default.
    taskSupport: definition.taskSupport ?? ('forbidden' as S),
    asks: definition.asks ?? [],
    retryable: definition.retryable ?? false,
    steps: definition.steps ?? false,
    immediateResponse: definition.immediateResponse,
    listing: {
      name,
      ...(title !== undefined && { title }),
      description,
      inputSchema: jsonSchemaOf(name, 'input', input) as Tool['inputSchema'],
      ...(output && {
        outputSchema: jsonSchemaOf(name, 'output', output) as Tool['inputSchema'],
      }),
      ...(annotations && { annotations }),
      ...(icons && { icons }),
      ...(meta && { _meta: meta }),
    },
    async validationError(args) {
      const result = await input.safeParseAsync(args ?? {});
      if (result.success) return undefined;
      return `Invalid arguments for tool ${name}: ${issuesOf(result.error)}`;
    },
    prepare: prepare && (async (call) => prepare({ ...call, args: await parsed(call.args) })),
    async run(call) {
      const returned = await definition.run(merged(call, { args: await parsed(call.args) }));
      return output === undefined
        ? asResult(returned as ToolOutput)
        : structured(name, output, returned);
    },
  };
}

function asResult(returned: ToolOutput): JsonObject {
  return typeof returned === 'string' ? { content: [text(returned)] } : returned;
}

async function structured(name: string, output: z.ZodObject, value: unknown): Promise<JsonObject> {
  const result = await output.safeParseAsync(value);
  if (!result.success) {
    const message = `Tool ${name} returned an invalid result: ${issuesOf(result.error, '/structuredContent')}`;
    throw rpcError(INTERNAL_ERROR, message);
  }
  return { content: [text(JSON.stringify(result.data))], structuredContent: result.data };
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

function issuesOf(error: z.ZodError, prefix = ''): string {
  return error.issues
    .map(({ path, message }) => `${[prefix, ...path.map(String)].join('/') || '/'}: ${message}`)
    .join('; ');
}
