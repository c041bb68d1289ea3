import { type Definition, literalsOf } from '../../../json-schema/index.js';
import type { Protocol } from '../../ir/index.js';

/** Increased when a document may no longer be read as before; a new key increases nothing. */
const METAMODEL_VERSION = 1;

/** The `$id` of `schema/metamodel.schema.json`. */
export const METAMODEL_SCHEMA = `urn:mcp-codegen:metamodel:${String(METAMODEL_VERSION)}`;

/**
 * A protocol as a JSON document, for generators in any language. It contains everything that our own
 * emitters read, so no schema is needed beside it.
 */
export interface Metamodel extends Protocol {
  readonly $schema: string;
  readonly metamodelVersion: number;
  /** The `jsonrpc` of all messages; absent when the schema describes none. */
  readonly jsonrpc?: string;
  /** Absent when the protocol has no tasks. */
  readonly tasks?: Tasks;
}

/** How a request becomes a task. */
export interface Tasks {
  /** `core`: the sender asks for it with `params.task`. `ext`: the receiver decides. */
  readonly dialect: 'core' | 'ext';
  /** The methods whose result may be a task. */
  readonly methods: readonly string[];
  /** As the schema lists them. */
  readonly statuses: readonly string[];
}

/** The metamodel document of a protocol. */
export function metamodelOf(protocol: Protocol): Metamodel {
  const definitions = new Map(protocol.definitions.map((each) => [each.name, each]));
  const version = definitions.get('JSONRPCRequest');
  const tasks = tasksOf(protocol, definitions);
  const { name, extension, draft, definitions: all, ...rest } = protocol;
  return {
    $schema: METAMODEL_SCHEMA,
    metamodelVersion: METAMODEL_VERSION,
    name,
    ...(extension && { extension }),
    ...(draft && { draft }),
    ...(version && { jsonrpc: jsonRpcVersion(version) }),
    ...(tasks && { tasks }),
    ...rest,
    definitions: all,
  };
}

function jsonRpcVersion({ node }: Definition): string {
  const property =
    node.kind === 'object' ? node.properties.find(({ name }) => name === 'jsonrpc') : undefined;
  const value = property?.node.kind === 'literal' ? property.node.values[0] : undefined;
  return typeof value === 'string' ? value : '2.0';
}

const CREATED = 'CreateTaskResult';

function tasksOf(
  { requests, addedResults }: Protocol,
  definitions: ReadonlyMap<string, Definition>,
): Tasks | undefined {
  const asked = requests.filter(({ augmentable }) => augmentable);
  const given = [
    ...requests.filter(({ results }) => results.includes(CREATED)),
    ...addedResults.filter(({ result }) => result === CREATED),
  ];
  const creating = asked.length > 0 ? asked : given;
  if (creating.length === 0) return undefined;
  const status = definitions.get('TaskStatus');
  const literals = (status && literalsOf(status.node, definitions)) ?? [];
  return {
    dialect: asked.length > 0 ? 'core' : 'ext',
    methods: [...new Set(creating.map(({ method }) => method))].sort(),
    statuses: literals.filter((literal) => typeof literal === 'string'),
  };
}

/** The text of the document: each definition and each method on a line, so that differences are readable. */
export function printMetamodel(model: Metamodel): string {
  const entries = Object.entries(model).map(
    ([key, value]: [string, unknown]) => `  ${JSON.stringify(key)}: ${printValue(value)}`,
  );
  return `{\n${entries.join(',\n')}\n}\n`;
}

function printValue(value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return JSON.stringify(value);
  const lines = value.map((each) => `    ${JSON.stringify(each)}`);
  return `[\n${lines.join(',\n')}\n  ]`;
}
