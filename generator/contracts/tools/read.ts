import {
  type Definition,
  type Draft,
  type Fault,
  type FaultCode,
  draftNamed,
  isObject,
  type JsonObject,
  jsonPointer,
  type JsonValue,
  mapNode,
  type Node,
  type Place,
  type ReadDefinition,
  Reading,
} from '../../../json-schema/index.js';
import { diagnosticOf } from '../../diagnostics/index.js';
import type { Diagnostic } from '../../diagnostics/index.js';
import type { Names } from '../../emit/validators/identifiers.js';
import { pascalCase } from '../../ir/index.js';
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

/** Thrown beyond a limit. The whole schema then accepts everything. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}

/**
 * Reads a schema of a server, which is untrusted. What cannot be read gets a warning, and accepts everything.
 * Nothing outside the schema is read.
 */
export function readToolSchema(schema: JsonValue, options: SchemaOptions): ReadToolSchema {
  const { name, report } = options;
  const anything = { definitions: [{ name, node: ANY }], exact: false };
  const fail = (code: FaultCode, message: string): void =>
    report(reported({ code, severity: 'error', message, pointer: '' }, options));
  const draft = draftOf(schema);
  if (!isObject(schema) || !draft) {
    fail('not-a-schema', 'The schema is not an object in a known draft of JSON Schema.');
    return anything;
  }
  try {
    return read(schema, draft, options);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    fail('too-large', `The schema ${error.message}.`);
    return anything;
  }
}

const ANY: Node = { kind: 'any' };

/** Without `$schema` the draft is 2020-12, as in MCP. */
function draftOf(schema: JsonValue): Draft | undefined {
  const written = isObject(schema) ? schema['$schema'] : undefined;
  if (written === undefined) return '2020-12';
  return typeof written === 'string' ? draftNamed(written) : undefined;
}

function read(schema: JsonObject, draft: Draft, options: SchemaOptions): ReadToolSchema {
  const { name, names, report, spend } = options;
  if (isTooDeep(schema)) throw new TooLarge('nests too deeply');
  const reading = new Reading(schema, {
    draft,
    depth: TOOL_LIMITS.depth,
    nullable: true,
    nameOf: (target) => names.take(name + (pascalCase(lastPart(target)) || 'Part')),
    visit: spend,
  });
  reading.define(name);
  const found = [...reading.finish().values()];
  const problems = found.flatMap(({ diagnostics }) => diagnostics);
  for (const problem of problems.filter(isTelling)) report(reported(problem, options));
  return {
    definitions: found.map((each) => definition(each, spend)),
    exact: problems.every(({ severity }) => severity === 'warning'),
  };
}

/** `#/$defs/my-node` → `my-node`. */
function lastPart({ path }: Place): string {
  return [...String(path.at(-1) ?? 'Self')].slice(0, 40).join('');
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

/** A definition whose descriptions are cut, after its literals are counted. */
function definition({ name, description, node }: ReadDefinition, spend: () => void): Definition {
  const plain = mapNode(node, (inner) => {
    countLiterals(inner, spend);
    return { ...withoutEmptyProperties(inner), ...shortened(inner) };
  });
  return { name, ...shortened({ description }), node: plain };
}

function countLiterals(node: Node, spend: () => void): void {
  if (node.kind === 'literal') node.values.forEach(spend);
  if (node.kind !== 'constant') return;
  const count = (value: JsonValue): void => {
    spend();
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(count);
  };
  count(node.value);
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
