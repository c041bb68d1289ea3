import {
  type Definition,
  type Fault,
  isObject,
  jsonPointer,
  type JsonValue,
  mapNode,
  type Node,
  read,
  TooLarge,
} from '../../json-schema/index.js';
import { diagnosticOf } from '../diagnostics/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import type { Names } from '../emit/validators/identifiers.js';
import { pascalCase } from '../ir/index.js';
import { isTooDeep, TOOL_LIMITS } from './limits.js';

export interface ReadToolSchema {
  /** The whole schema first, then the schemas that it refers to. */
  readonly definitions: readonly Definition[];
  /** Whether they accept the values of the schema, and no others. */
  readonly exact: boolean;
}

export interface SchemaOptions {
  /** The name of the whole, which the names of referenced schemas begin with. */
  readonly name: string;
  readonly names: Names;
  /** The path of the schema, for diagnostics. */
  readonly path: readonly string[];
  readonly report: (diagnostic: Diagnostic) => void;
  /** Whether a fault is an error, and no warning. */
  readonly strict: boolean;
  /** Called for each schema and literal. @throws {TooLarge} */
  readonly spend: () => void;
}

/**
 * Reads a schema of a server, which is untrusted. What cannot be read gets a warning, and accepts everything.
 * Nothing outside the schema is read.
 */
export function readToolSchema(schema: JsonValue, options: SchemaOptions): ReadToolSchema {
  const { name, names, report, spend } = options;
  const { definitions, faults, exact } = read(isObject(schema) ? schema : null, {
    nullable: true,
    depth: TOOL_LIMITS.depth,
    name,
    nameOf: (key) => names.take(name + (pascalCase(key) || 'Part')),
    visit: isTooDeep(schema) ? tooDeep : spend,
  });
  for (const fault of faults.filter(isTelling)) report(reported(fault, options));
  return { definitions: [...definitions.values()].map(definition), exact };
}

function tooDeep(): never {
  throw new TooLarge('nests too deeply');
}

/** Unknown keywords and formats are annotations. */
function isTelling({ severity, code }: Fault): boolean {
  return severity === 'error' || code === 'bad-name';
}

/** A problem of a schema that is not the user's. */
function reported(
  { code, severity, message, pointer }: Fault,
  { path, strict }: SchemaOptions,
): Diagnostic {
  return diagnosticOf({ code, severity, message, pointer: jsonPointer(path) + pointer }, strict);
}

/** A definition whose descriptions are cut. */
function definition({ name, description, node }: Definition): Definition {
  const plain = mapNode(node, (inner) => ({
    ...withoutEmptyProperties(inner),
    ...shortened(inner),
  }));
  return { name, ...shortened({ description }), node: plain };
}

/** `properties: {}` says nothing. For a protocol it has a type of its own, to which no index signature fits. */
function withoutEmptyProperties(node: Node): Node {
  return node.kind === 'object' && node.properties.length === 0
    ? { ...node, hasProperties: false }
    : node;
}

function shortened({ description }: { readonly description?: string | undefined }): {
  readonly description?: string;
} {
  if (description === undefined) return {};
  return { description: cutDescription(description) };
}

/** Untrusted text, cut to the limit. */
export function cutDescription(text: string): string {
  const most = TOOL_LIMITS.description;
  // UTF-8 has no half of a surrogate pair.
  const kept = text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
  return text.length > most ? `${kept}…` : text;
}
