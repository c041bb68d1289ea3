import {
  circularDefinitions,
  type Definition,
  type Draft,
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
import type { Diagnostic, DiagnosticCode } from '../../diagnostics/index.js';
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
  const { name, path, report } = options;
  const anything = { definitions: [{ name, node: ANY }], exact: false };
  const warn = (code: DiagnosticCode, message: string): void =>
    report({ code, severity: 'warning', message, pointer: jsonPointer(path), help: ACCEPTED });
  const draft = draftOf(schema);
  if (!isObject(schema) || !draft) {
    warn('not-a-schema', 'The schema is not an object in a known draft of JSON Schema.');
    return anything;
  }
  try {
    return read(schema, draft, options, warn);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    warn('too-large', `The schema ${error.message}.`);
    return anything;
  }
}

const ACCEPTED = 'The type and the check accept every value there.';
const ANY: Node = { kind: 'any' };

/** Without `$schema` the draft is 2020-12, as in MCP. */
function draftOf(schema: JsonValue): Draft | undefined {
  const written = isObject(schema) ? schema['$schema'] : undefined;
  if (written === undefined) return '2020-12';
  return typeof written === 'string' ? draftNamed(written) : undefined;
}

function read(
  schema: JsonObject,
  draft: Draft,
  { name, names, path, report, spend }: SchemaOptions,
  warn: (code: DiagnosticCode, message: string) => void,
): ReadToolSchema {
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
  for (const problem of problems.filter(isTelling)) report(reported(problem, path));
  const circular = circularDefinitions(new Map(found.map((each) => [each.name, each])));
  if (circular.size > 0) {
    warn('circular-ref', 'A reference leads back to itself without an object or array in between.');
  }
  return {
    definitions: found.map((each) => definition(each, circular.has(each.name), spend)),
    exact: circular.size === 0 && problems.every(({ severity }) => severity === 'warning'),
  };
}

/** `#/$defs/my-node` → `my-node`. */
function lastPart({ path }: Place): string {
  return [...String(path.at(-1) ?? 'Self')].slice(0, 40).join('');
}

/** Unknown keywords and formats are annotations. */
function isTelling({ severity, code }: Diagnostic): boolean {
  return severity === 'error' || code === 'bad-name';
}

/** A problem of a schema that is not the user's. */
function reported(
  { code, severity, message, pointer }: Diagnostic,
  path: readonly string[],
): Diagnostic {
  return {
    code,
    severity: 'warning',
    message,
    pointer: jsonPointer(path) + (pointer ?? ''),
    ...(severity === 'error' && { help: ACCEPTED }),
  };
}

/** A definition whose descriptions are cut, after its literals are counted. */
function definition(
  { name, description, node }: ReadDefinition,
  isCircular: boolean,
  spend: () => void,
): Definition {
  const plain = mapNode(node, (inner) => {
    countLiterals(inner, spend);
    return { ...withoutEmptyProperties(inner), ...shortened(inner) };
  });
  return { name, ...shortened({ description }), node: isCircular ? ANY : plain };
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
