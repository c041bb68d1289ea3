import {
  type Definition,
  type Definitions,
  discriminatorOf,
  mapNode,
  type Node,
  findProperty,
  literalsOf,
} from '../../json-schema/index.js';
import type { SchemaDocument } from './document.js';
import { EXCEPTIONS, type Exceptions } from './exceptions.js';
import { notificationsOf, requestsOf } from './messages.js';
import type { Protocol, ErrorCode } from './model.js';

/** Reads a schema document as a protocol. */
export function buildProtocol(
  document: SchemaDocument,
  exceptions: Exceptions = EXCEPTIONS,
): Protocol {
  return build(document, exceptions).protocol;
}

/** The facts of `exceptions` that a document needs, as texts. */
export function factsFor(
  document: SchemaDocument,
  exceptions: Exceptions = EXCEPTIONS,
): ReadonlySet<string> {
  return new Set([...build(document, exceptions).used].map((fact) => JSON.stringify(fact)));
}

function build(
  document: SchemaDocument,
  exceptions: Exceptions,
): { readonly protocol: Protocol; readonly used: ReadonlySet<object> } {
  const definitions = definitionsOf(document);
  const { extension } = document;
  const used = new Set<object>();
  const context = {
    definitions,
    extension,
    exceptions,
    used: (exception: object) => void used.add(exception),
  };
  const facts = extension && exceptions.extensions[extension.id];
  const addedResults = (facts?.addedResults ?? []).filter(({ result }) => definitions.has(result));
  const metaKeys = exceptions.metaKeys.filter(({ definition }) => definitions.has(definition));
  for (const fact of [...addedResults, ...metaKeys]) used.add(fact);
  const protocol: Protocol = {
    name: document.name,
    ...(extension && { extension }),
    draft: document.dialect,
    definitions: [...definitions.values()],
    requests: requestsOf(context),
    notifications: notificationsOf(context),
    addedResults: addedResults.map(({ method, result }) => ({ method, result })),
    errors: errorsOf(definitions),
    metaKeys: metaKeysOf(
      definitions,
      metaKeys.map(({ key }) => key),
    ),
    ...(document.errata && { errata: document.errata }),
  };
  return { protocol, used };
}

function definitionsOf(document: SchemaDocument): Definitions {
  const plain = new Map<string, Definition>(
    [...document.definitions.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
  );
  const discriminate = (node: Node): Node => {
    if (node.kind !== 'union') return node;
    const discriminator = discriminatorOf(node.members, plain);
    return discriminator ? { ...node, discriminator } : node;
  };
  return new Map(
    [...plain].map(([name, definition]) => [
      name,
      { ...definition, node: mapNode(definition.node, discriminate) },
    ]),
  );
}

const RESERVED_KEY = /^(?:[a-z0-9-]+\.)?(?:modelcontextprotocol|mcp)(?:\.[a-z0-9.-]+)?\//;

function metaKeysOf(definitions: Definitions, known: readonly string[]): string[] {
  const keys = new Set(known);
  const note = (node: Node): Node => {
    if (node.kind === 'object') {
      for (const property of node.properties) {
        if (RESERVED_KEY.test(property.name)) keys.add(property.name);
      }
    }
    return node;
  };
  for (const { node } of definitions.values()) mapNode(node, note);
  return [...keys].sort();
}

/** The codes of JSON-RPC 2.0, section 5.1, which apply to every revision. */
const JSON_RPC_ERRORS: readonly ErrorCode[] = [
  { name: 'ParseError', code: -32700 },
  { name: 'InvalidRequest', code: -32600 },
  { name: 'MethodNotFound', code: -32601 },
  { name: 'InvalidParams', code: -32602 },
  { name: 'InternalError', code: -32603 },
];

/** The error codes of the schema and of JSON-RPC, highest first. */
function errorsOf(definitions: Definitions): ErrorCode[] {
  const described = [...definitions.values()].flatMap((definition) => {
    const code = codeOf(definition, definitions);
    return code === undefined ? [] : [{ name: shortName(definition.name), code, definition }];
  });
  const codes = new Map(JSON_RPC_ERRORS.map((error) => [error.code, error]));
  for (const { name, code, definition } of described) {
    codes.set(code, { name: codes.get(code)?.name ?? name, code, definition: definition.name });
  }
  return [...codes.values()].sort((a, b) => b.code - a.code);
}

/** `URLElicitationRequiredError` → `URLElicitationRequired`. */
function shortName(name: string): string {
  return name.replace(/Error$/, '');
}

/** The code is a literal in an error object, or in the `error` of a response. */
function codeOf({ node }: Definition, definitions: Definitions): number | undefined {
  const error = findProperty(node, 'error', definitions);
  const code = findProperty(error?.node ?? node, 'code', definitions);
  const values = code && literalsOf(code.node, definitions);
  return values?.length === 1 && typeof values[0] === 'number' ? values[0] : undefined;
}
