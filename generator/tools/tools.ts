import { quote } from '../diagnostics/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { createNames } from '../emit/validators/identifiers.js';
import type { Names } from '../emit/validators/identifiers.js';
import type { JsonValue } from '../ir/index.js';
import { ALL_TYPES, TooLarge } from './context.js';
import { readSchemaDocument } from './document.js';
import type { Declaration } from './declaration.js';
import { TOOL_LIMITS } from './limits.js';
import { toolIdentifier, upperFirst } from './tool-names.js';
import { isObject } from '../read/index.js';
import type { JsonObject } from '../read/index.js';
import { ANY_OBJECT, intersection } from './type.js';
import type { Type } from './type.js';

/** A tool for which a function is written. */
export interface TypedTool {
  /** The tool's name. */
  readonly name: string;
  /** The function's name. */
  readonly identifier: string;
  /** Untrusted text. */
  readonly description?: string;
  readonly input: string;
  /** Whether the tool can be called with no arguments at all. */
  readonly optional: boolean;
  /** Absent when the tool has no output schema. */
  readonly output?: string;
  readonly declarations: readonly Declaration[];
}

export interface ReadTools {
  /** In the order of names. */
  readonly tools: readonly TypedTool[];
  /** An error means that a tool was left out. A warning means that a type accepts more than its schema. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a server's answer to `tools/list`, which is untrusted. */
export function readTools(listed: readonly JsonValue[]): ReadTools {
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
    return readTool(name, identifier, tool, { names, report, spendAll });
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
}

function readTool(
  name: string,
  identifier: string,
  tool: JsonObject,
  { names, report, spendAll }: Shared,
): TypedTool {
  const base = upperFirst(identifier);
  const spendOwn = allowance(TOOL_LIMITS.nodes, 'is too large');
  const spend = (): void => {
    spendOwn();
    spendAll();
  };
  const shared = { names, report, spend };
  const [input, output] = [`${base}Input`, `${base}Output`];
  const [whole, ...parts] = readSchemaDocument(tool['inputSchema'] ?? null, {
    ...shared,
    name: input,
    assumed: ['object'],
    path: ['tools', name, 'inputSchema'],
  });
  const resolve = (each: string): Type | undefined =>
    parts.find((part) => part.name === each)?.type;
  const args = asObject(whole?.type ?? ANY_OBJECT, resolve);
  const outputs =
    tool['outputSchema'] === undefined
      ? undefined
      : readSchemaDocument(tool['outputSchema'], {
          ...shared,
          name: output,
          assumed: ALL_TYPES,
          path: ['tools', name, 'outputSchema'],
        });
  const { description } = tool;
  return {
    name,
    identifier,
    ...(typeof description === 'string' && { description }),
    input,
    optional: isOptional(args),
    ...(outputs && { output }),
    declarations: [{ name: input, type: args }, ...parts, ...(outputs ?? [])],
  };
}

function allowance(most: number, message: string): () => void {
  let left = most;
  return () => {
    left -= 1;
    if (left < 0) throw new TooLarge(message);
  };
}

/** Arguments are always an object, even if the schema does not restrict them. */
function asObject(type: Type, resolve: (name: string) => Type | undefined): Type {
  return isObjectType(type, resolve) ? type : intersection([type, ANY_OBJECT]);
}

function isObjectType(type: Type, resolve: (name: string) => Type | undefined): boolean {
  switch (type.kind) {
    case 'object':
      return true;
    case 'union':
      return type.members.every((member) => isObjectType(member, resolve));
    case 'intersection':
      return type.members.some((member) => isObjectType(member, resolve));
    case 'ref':
      return resolve(type.name)?.kind === 'object';
    default:
      return false;
  }
}

function isOptional(type: Type): boolean {
  return type.kind === 'object' && type.properties.every(({ required }) => !required);
}
