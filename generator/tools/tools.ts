import {
  type Definition,
  isObject,
  type JsonObject,
  jsonPointer,
  type JsonValue,
  mapNode,
  type Node,
  quote,
  TooLarge,
} from '../../json-schema/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { typesOf } from '../emit/types/emit-types.js';
import { createNames, type Names } from '../emit/validators/identifiers.js';
import { TOOL_LIMITS } from './limits.js';
import { cutDescription, readToolSchema } from './read.js';

/** A tool for which a function is written. */
export interface TypedTool {
  /** The tool's name. */
  readonly name: string;
  /** The function's name. */
  readonly identifier: string;
  /** Untrusted text. */
  readonly description?: string;
  readonly input: ToolSchema;
  /** Whether the tool can be called with no arguments at all. */
  readonly optional: boolean;
  /** Absent when the tool has no output schema. */
  readonly output?: ToolSchema;
  /** The types of both schemas, as TypeScript can express them. */
  readonly types: readonly Definition[];
}

/** The schema of a tool's arguments, or of what it returns. */
export interface ToolSchema {
  /** The name of its type, and of the first definition. */
  readonly name: string;
  /** What the schema accepts, or more. */
  readonly definitions: readonly Definition[];
  /** Whether the definitions accept the values of the schema, and no others. */
  readonly exact: boolean;
  /** As the server listed it. */
  readonly schema: JsonValue;
}

export interface ReadTools {
  /** In the order of names. */
  readonly tools: readonly TypedTool[];
  /** An error means that a tool was left out. A part of a schema that was not read is a warning, or with `strict` an error. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a server's answer to `tools/list`, which is untrusted. `strict` makes errors of faults in schemas. */
export function readTools(listed: readonly JsonValue[], strict = false): ReadTools {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic): void => void diagnostics.push(diagnostic);
  const named = callable(listed, report);
  const identifiers = identify([...named.keys()], report);
  const names = createNames(
    [...identifiers.values()].map(upperFirst).flatMap((base) => [`${base}Input`, `${base}Output`]),
  );
  const spendAll = allowance(TOOL_LIMITS.allNodes, 'exceeds the limit for all tools together');
  const tools = [...named].map(([name, tool]) => {
    const identifier = identifiers.get(name) ?? name;
    return readTool(name, identifier, tool, { names, report, spendAll, strict });
  });
  return { tools, diagnostics };
}

/** The tools by name, in the order of names, without those that cannot be called. */
function callable(
  listed: readonly JsonValue[],
  report: (diagnostic: Diagnostic) => void,
): Map<string, JsonObject> {
  const named = new Map<string, JsonObject>();
  const leaveOut = (pointer: string, message: string): void =>
    report({ code: 'bad-tool', severity: 'error', message, pointer });
  listed.forEach((tool, index) => {
    const pointer = `/tools/${String(index)}`;
    const name = isObject(tool) ? tool['name'] : undefined;
    if (!isObject(tool) || typeof name !== 'string' || name === '') {
      leaveOut(pointer, 'The tool has no name, so it is left out.');
    } else if (name.length > TOOL_LIMITS.name) {
      leaveOut(
        `${pointer}/name`,
        `The name ${quote(name)} has more than ${String(TOOL_LIMITS.name)} characters, so the tool is left out.`,
      );
    } else if (named.has(name)) {
      leaveOut(`${pointer}/name`, `Two tools are named ${quote(name)}; the second is left out.`);
    } else if (named.size >= TOOL_LIMITS.tools) {
      leaveOut(
        pointer,
        `The server has more than ${String(TOOL_LIMITS.tools)} tools; the others are left out.`,
      );
    } else named.set(name, tool);
  });
  return new Map([...named].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A function name for each tool. A tool whose name is a valid function name always keeps it. */
function identify(
  names: readonly string[],
  report: (diagnostic: Diagnostic) => void,
): Map<string, string> {
  const exact = names.filter((name) => toolIdentifier(name) === name);
  const others = names.filter((name) => toolIdentifier(name) !== name);
  const free = createNames([]);
  return new Map(
    [...exact, ...others].map((name) => {
      const wanted = toolIdentifier(name);
      const identifier = free.take(wanted);
      if (identifier !== wanted) report(renamed(name, wanted, identifier));
      return [name, identifier];
    }),
  );
}

function renamed(name: string, wanted: string, identifier: string): Diagnostic {
  return {
    code: 'renamed-tool',
    severity: 'warning',
    message: `The function of tool ${quote(name)} is ${quote(identifier)}, because another tool has the name ${quote(wanted)}.`,
    help: 'Check the tool name inside the function before you use a numbered name.',
  };
}

interface Shared {
  readonly names: Names;
  readonly report: (diagnostic: Diagnostic) => void;
  readonly spendAll: () => void;
  readonly strict: boolean;
}

function readTool(
  name: string,
  identifier: string,
  tool: JsonObject,
  { names, report, spendAll, strict }: Shared,
): TypedTool {
  const base = upperFirst(identifier);
  const spendOwn = allowance(TOOL_LIMITS.nodes, 'is too large');
  const spend = (): void => {
    spendOwn();
    spendAll();
  };
  const read = (part: Part, schema: JsonValue): ToolSchema => {
    const options = {
      name: base + upperFirst(part),
      names,
      path: pathOf(name, part),
      report,
      spend,
      strict,
    };
    return { name: options.name, schema, ...readToolSchema(schema, options) };
  };
  const input = read('input', tool['inputSchema'] ?? null);
  const output =
    tool['outputSchema'] === undefined ? undefined : read('output', tool['outputSchema']);
  const cut = (part: Part) => (): void => report(cutType(pathOf(name, part)));
  const types = [
    ...argumentTypes(input, names, cut('input')),
    ...(output ? declared(output.definitions, [], cut('output')) : []),
  ];
  const { description } = tool;
  return {
    name,
    identifier,
    ...(typeof description === 'string' && { description: cutDescription(description) }),
    input,
    optional: isOptional(types[0]?.node),
    ...(output && { output }),
    types,
  };
}

type Part = 'input' | 'output';

const pathOf = (tool: string, part: Part): string[] => ['tools', tool, `${part}Schema`];

function cutType(path: readonly string[]): Diagnostic {
  return {
    code: 'too-large',
    severity: 'warning',
    message: 'A part of the type is unknown, because the compiler would not finish with it.',
    pointer: jsonPointer(path),
    help: 'The check is not affected.',
  };
}

/**
 * Arguments are always an object, even if the schema does not say so. A reference to the whole schema then means
 * another type, because elsewhere the value may be no object.
 */
function argumentTypes(
  { name, schema, definitions }: ToolSchema,
  names: Names,
  cut: () => void,
): readonly Definition[] {
  const isPlain = isObject(schema) && schema['type'] === 'object';
  if (isPlain || !definitions.some(({ node }) => refersTo(node, name))) {
    return declared(definitions, [name], cut);
  }
  const self = names.take(`${name}Self`);
  const renamed = definitions.map((each) => ({
    ...each,
    name: each.name === name ? self : each.name,
    node: mapNode(each.node, (node) =>
      node.kind === 'ref' && node.name === name ? { ...node, name: self } : node,
    ),
  }));
  return declared([{ name, node: { kind: 'ref', name: self } }, ...renamed], [name], cut);
}

function refersTo(node: Node, name: string): boolean {
  let found = false;
  mapNode(node, (inner) => {
    found ||= inner.kind === 'ref' && inner.name === name;
    return inner;
  });
  return found;
}

function declared(
  definitions: readonly Definition[],
  objects: readonly string[],
  onCut: () => void,
): readonly Definition[] {
  const { definitions: types, cut } = typesOf(definitions, new Set(objects));
  if (cut.size > 0) onCut();
  return types;
}

function isOptional(node: Node | undefined): boolean {
  return node?.kind === 'object' && node.properties.every(({ required }) => !required);
}

function allowance(most: number, message: string): () => void {
  let left = most;
  return () => {
    left -= 1;
    if (left < 0) throw new TooLarge(message);
  };
}

/** Names that JavaScript reads from objects implicitly. A tool must not get such a name. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'toJSON',
]);

/**
 * The property that a tool becomes: `slow_compute`, `slow-compute` and `SlowCompute` → `slowCompute`. The
 * result contains ASCII letters and digits only, because names are untrusted.
 */
function toolIdentifier(name: string): string {
  const [first = 'tool', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const lowered = /^[A-Z0-9]+$/.test(first) ? first.toLowerCase() : lowerFirst(first);
  const joined = lowered + others.map(upperFirst).join('');
  const identifier = /^\d/.test(joined) ? `tool${joined}` : joined;
  return TAKEN.has(identifier) ? `${identifier}Tool` : identifier;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
