import type { CallToolResult, ContentBlock, Tool } from '../../generated/2025-11-25/types.js';
import type { Tool as ExtTool } from '../../generated/2026-07-28/types.js';
import {
  type CallerIdentity,
  type Dialect,
  type JsonObject,
  jsonOf,
  merged,
} from '../tasks/index.js';
import type { Frozen } from '../peer/wire/messages.js';
import type { Ask } from '../rules/questions.js';
import { assertDefinition, subjectOf } from './definitions/index.js';
import {
  type Checked,
  type Contract,
  type Issue,
  issuesText,
  type ObjectSchema,
  type SchemaInput,
  type SchemaOutput,
  type ValueSchema,
  argumentsRoot,
  contractOf,
  type Direction,
  resultRoot,
  SchemaFault,
  wrappedSchema,
} from '../schemas/index.js';
import type { ToolControls, RequestContext } from './controls.js';
import { INTERNAL_ERROR, rpcError } from './errors.js';
import { mirroredParams } from '../peer/wire/mirrored-headers.js';

/** Whether a tool may, must or must not run as a task. */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

export interface ToolCall<Args> {
  /** The arguments as the input schema parsed them. */
  readonly args: Args;
  /** Signal, progress, status and questions to the user: the same for a plain call and for a task. */
  readonly task: ToolControls;
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

/** What `run` returns: with an output schema, a value that the schema takes. */
export type Returned<O extends ValueSchema | undefined> = O extends ValueSchema
  ? SchemaInput<O, unknown>
  : ToolOutput;

/** Where it is expected, the compiler keeps literals as they are, and lists as tuples. */
type Literal =
  '' | 0 | boolean | readonly [] | readonly Literal[] | { readonly [key: string]: Literal };

/**
 * The same. The compiler reads `run` before it has settled `O`, and where a type depends on `O` alone it makes a `string`
 * of `'text'`.
 */
type ReturnedByRun<O extends ValueSchema | undefined> =
  Returned<O> | (ToolOutput & Without<O>) | (Literal & Without<O>);

/** Where there is no output schema. */
type Without<O> = O extends ValueSchema ? never : ToolOutput;

export interface ToolDefinition<
  I extends ObjectSchema,
  O extends ValueSchema | undefined,
  S extends TaskSupport = TaskSupport,
  A extends Ask = Ask,
> {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** The arguments: a schema of Zod, ArkType or Valibot, any Standard Schema with JSON Schema, or plain JSON Schema. */
  readonly input: I;
  /**
   * With it, `run` returns a value of this schema, which becomes `structuredContent`. Any JSON: sessions get what is no object
   * as `{ result: value }`.
   */
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
  readonly prepare?: (call: ToolCall<SchemaOutput<I>>) => Promise<SchemaInput<I>>;
  /**
   * Throw an `Error` whose message the model should read, or an object with a negative `code` and a
   * `message` for a JSON-RPC error.
   */
  readonly run: (call: ToolCall<SchemaOutput<I>>) => ReturnedByRun<O> | Promise<ReturnedByRun<O>>;
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
  /** As sessions list it, without `execution`, which only the core dialect has. */
  readonly listing: Tool;
  /** As revisions without sessions list it. */
  readonly extListing: ExtTool;
  /** Whether sessions get the structured content of results wrapped in an object. */
  readonly wrapsResults: boolean;
  /** Loads what the checks of its schemas need. Rejects when a package is missing. */
  readonly load: () => Promise<void>;
  /** What is wrong with arguments; undefined for valid ones. */
  readonly validationError: (args: unknown) => Promise<InvalidArguments | undefined>;
  readonly prepare: ((call: ToolCall<unknown>) => Promise<JsonObject>) | undefined;
  /** Gets unchecked arguments. Rejects with `-32603` for a result that does not match the schemas. */
  readonly run: (call: ToolCall<unknown>) => Promise<JsonObject>;
}

/** Throws a TypeError for a wrong definition, which names the tool, the key and the mend. */
export function defineTool<
  I extends ObjectSchema,
  O extends ValueSchema | undefined = undefined,
  const S extends TaskSupport = 'forbidden',
  const A extends Ask = never,
>(definition: ToolDefinition<I, O, S, A>): ServerTool<S, A> {
  assertDefinition(definition);
  const { name, prepare } = definition;
  const input = inputOf(name, definition.input);
  const output = definition.output && outputOf(name, definition.output);

  async function parsed(given: unknown): Promise<SchemaOutput<I>> {
    const checked = input.contract.check(given ?? {});
    // Most checks are synchronous, and do not wait.
    const { issues, value } = (isPending(checked) ? await checked : checked) as Found;
    if (issues === undefined) return value;
    throw new InvalidArguments(name, issues);
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
    listing: listingOf(definition, input.listed, output?.inSessions) as Tool,
    extListing: listingOf(definition, input.listed, output?.listed) as ExtTool,
    wrapsResults: output?.isWrapped ?? false,
    async load() {
      await load(name, 'input', input.contract);
      if (output !== undefined) await load(name, 'output', output.contract);
    },
    async validationError(args) {
      const checked = input.contract.check(args ?? {});
      const { issues } = isPending(checked) ? await checked : checked;
      return issues && new InvalidArguments(name, issues);
    },
    prepare:
      prepare &&
      (async (call) => (await prepare({ ...call, args: await parsed(call.args) })) as JsonObject),
    async run(call) {
      const returned = await definition.run(merged(call, { args: await parsed(call.args) }));
      return output === undefined
        ? asResult(returned as ToolOutput)
        : structured(name, output.contract, returned);
    },
  };
}

/** A tool as revisions of a dialect list it. */
export type ListedTool = Frozen<Tool | ExtTool>;

export function listingIn({ listing, extListing }: ServerTool, dialect: Dialect): ListedTool {
  return dialect === 'core' ? listing : extListing;
}

/** Arguments that the input schema refuses. */
export class InvalidArguments extends Error {
  /** The arguments that are wrong, without values, for logs. */
  readonly places: string;

  constructor(tool: string, issues: readonly Issue[]) {
    super(`Invalid arguments for tool ${tool}: ${issuesText(issues)}`);
    const names = issues.map(({ path: [first] = [] }) =>
      String(typeof first === 'object' ? first.key : (first ?? '')),
    );
    this.places = [...new Set(names.map((each) => `/${each}`))].join(', ');
  }
}

type Found = Checked & { readonly value?: unknown };

function isPending(checked: Checked | Promise<Checked>): checked is Promise<Checked> {
  return 'then' in checked;
}

type Listed = Pick<
  ToolDefinition<ObjectSchema, undefined>,
  'name' | 'title' | 'description' | 'annotations' | 'icons' | 'meta'
>;

function listingOf(
  { name, title, description, annotations, icons, meta }: Listed,
  inputSchema: object,
  outputSchema: object | undefined,
): object {
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(outputSchema && { outputSchema }),
    ...(annotations && { annotations }),
    ...(icons && { icons }),
    ...(meta && { _meta: meta }),
  };
}

function asResult(returned: ToolOutput): JsonObject {
  return typeof returned === 'string' ? { content: [text(returned)] } : returned;
}

async function structured(tool: string, output: Contract, returned: unknown): Promise<JsonObject> {
  const checked = output.check(returned);
  const { issues, value } = (isPending(checked) ? await checked : checked) as Found;
  if (issues !== undefined) throw invalidResult(tool, issuesText(issues, '/structuredContent'));
  const { text: json, problem } = jsonOf(value, '/structuredContent');
  if (json === undefined) throw invalidResult(tool, problem);
  return { content: [text(json)], structuredContent: value };
}

function invalidResult(tool: string, problem: string): Error {
  return rpcError(INTERNAL_ERROR, `Tool ${tool} returned an invalid result: ${problem}`);
}

function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}

type Schema = Record<string, unknown>;

/** Clients leave a tool out that declares something else. */
const MIRRORED =
  'declare x-mcp-header for properties of the type string, integer or boolean, each with a name of its own';

/** The contract of a tool's arguments, and the JSON Schema that is listed. */
function inputOf(tool: string, schema: unknown): { contract: Contract; listed: Schema } {
  return named(tool, 'input', () => {
    const contract = contractOf(schema, 'input');
    const listed = argumentsRoot(contract.jsonSchema);
    const { fault } = mirroredParams(listed);
    if (fault !== undefined) throw new SchemaFault('', fault, MIRRORED);
    return { contract, listed };
  });
}

interface OutputContract {
  readonly contract: Contract;
  /** As revisions list it whose results are any JSON. */
  readonly listed: Schema;
  /** As sessions list it. */
  readonly inSessions: Schema;
  /** Whether sessions get results wrapped in an object. */
  readonly isWrapped: boolean;
}

/** The contract of a tool's results. */
function outputOf(tool: string, schema: unknown): OutputContract {
  return named(tool, 'output', () => {
    const contract = contractOf(schema, 'output');
    const root = resultRoot(contract.jsonSchema);
    if (root !== undefined) return { contract, listed: root, inSessions: root, isWrapped: false };
    const listed = contract.jsonSchema;
    return { contract, listed, inSessions: wrappedSchema(listed), isWrapped: true };
  });
}

/** Loads what the checks of a tool's schema need. */
async function load(tool: string, key: Direction, contract: Contract): Promise<void> {
  await contract.load().catch((error: unknown) => {
    throw inTool(tool, key, error);
  });
}

function named<T>(tool: string, key: Direction, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw inTool(tool, key, error);
  }
}

/** Adds the tool's name to the error of a faulty schema, which names the place and the fix. Returns other errors unchanged. */
function inTool(tool: string, key: Direction, error: unknown): unknown {
  if (!(error instanceof SchemaFault)) return error;
  return error.of(`${subjectOf('Tool', tool)}: \`${key}\` cannot be sent to clients`);
}
