import { discriminatorOf } from './discriminator.js';
import type { SchemaDocument } from './document.js';
import { errorsOf } from './errors.js';
import { EXCEPTIONS } from './exceptions.js';
import type { Exceptions } from './exceptions.js';
import { mapNode } from './lookup.js';
import type { Definitions } from './lookup.js';
import { notificationsOf, requestsOf } from './messages.js';
import type { Definition, Node, Protocol } from './model.js';

/**
 * Reads a schema document as a protocol.
 *
 * @throws {Error} when an entry of `exceptions` for this document changes nothing.
 */
export function buildProtocol(
  document: SchemaDocument,
  exceptions: Exceptions = EXCEPTIONS,
): Protocol {
  const definitions = definitionsOf(document);
  const used = new Set<object>();
  const context = {
    name: document.name,
    definitions,
    exceptions,
    used: (exception: object) => void used.add(exception),
  };
  const requests = requestsOf(context);
  const notifications = notificationsOf(context);
  const addedResults = exceptions.addedResults.filter((entry) => entry.in.includes(document.name));
  const unused = [...exceptions.capabilities, ...exceptions.senders]
    .filter((entry) => entry.in.includes(document.name) && !used.has(entry))
    .concat(addedResults.filter(({ result }) => !definitions.has(result)) as never[]);
  if (unused.length > 0) {
    throw new Error(`exceptions that ${document.name} does not need: ${JSON.stringify(unused)}`);
  }
  const extension = exceptions.extensions[document.name];
  return {
    name: document.name,
    ...(extension && { extension }),
    draft: document.dialect,
    definitions: [...definitions.values()],
    requests,
    notifications,
    addedResults: addedResults.map(({ method, result }) => ({ method, result })),
    errors: errorsOf(definitions),
    metaKeys: metaKeysOf(document.name, definitions, exceptions),
    ...(document.errata && { errata: document.errata }),
  };
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

function metaKeysOf(name: string, definitions: Definitions, exceptions: Exceptions): string[] {
  const keys = new Set(
    exceptions.metaKeys.filter((entry) => entry.in.includes(name)).map(({ key }) => key),
  );
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
