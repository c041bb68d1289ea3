import type * as z from 'zod';
import { emitUnits, namedParts } from '../../generator/emit/index.js';
import { mutuallyAssignable } from '../generated/compile.js';
import type { JsonSchema } from '../../json-schema/index.js';
import { createCompiler } from '../read/compiled.js';
import { supportFiles } from '../support/emitted.js';
import { protocolOf } from '../support/protocol.js';

/** The schemas that a `zod.ts` exports, by their names. */
export type Schemas = Readonly<Record<string, z.ZodType>>;

/** What is generated from definitions, with two modules that compile if the types of the Zod schemas are right and complete. */
export async function deepFiles(
  definitions: Readonly<Record<string, JsonSchema>>,
): Promise<Record<string, string>> {
  const protocol = namedParts(protocolOf(definitions));
  const units = await emitUnits(protocol, ['types', 'zod', 'validators']);
  const files = Object.fromEntries(units.map(({ path, text }) => [`own/${path}`, text]));
  const compiler = createCompiler();
  try {
    const { zod } = await compiler.modules(protocol);
    const names = protocol.definitions.map(({ name }) => name);
    return {
      ...supportFiles(),
      ...files,
      'own/apart.ts': takenApart(zod),
      'own/check.ts': mutuallyAssignable(names),
    };
  } finally {
    compiler.remove();
  }
}

interface Step {
  readonly schema: z.core.$ZodType;
  /** The expression that leads to it. */
  readonly path: string;
}

/** The member of a schema that has what it is made of; Zod's types have no other. */
const MEMBER: Readonly<Record<string, string>> = {
  array: 'element',
  enum: 'enum',
  intersection: 'def',
  literal: 'values',
  object: 'shape',
  tuple: 'def',
  union: 'options',
};

/**
 * A module that takes every schema apart, down to the schemas that have names, as they are made at run time. It compiles if
 * the types of the schemas say as much. `module` is where the schemas lie.
 */
export function takenApart(schemas: Schemas, module = './zod.js'): string {
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [schema, name] as const));
  const lines: string[] = [];
  for (const [root, schema] of Object.entries(schemas)) {
    const waiting: Step[] = [{ schema, path: `zod.${root}` }];
    for (let step = waiting.pop(); step; step = waiting.pop()) {
      const name = names.get(step.schema as z.ZodType);
      const isReference = name !== undefined && step.path !== `zod.${root}`;
      lines.push(`(): ${typeOf(step, isReference ? name : undefined)},`);
      if (!isReference) waiting.push(...partsOf(step));
    }
  }
  return [
    `import type * as zodModule from '${module}';`,
    'declare const zod: typeof zodModule;',
    `export const parts: readonly unknown[] = [\n${lines.join('\n')}\n];\n`,
  ].join('\n');
}

/** `Type => expression`: what a schema is by itself, or what the schema of a name has. */
function typeOf({ schema, path }: Step, name: string | undefined): string {
  const def = schema._zod.def as z.core.$ZodTypes['_zod']['def'];
  const member = MEMBER[def.type];
  if (def.type === 'optional' || def.type === 'lazy') return `unknown => ${path}.unwrap()`;
  if (member === undefined) return `'${def.type}' => ${path}.def.type`;
  if (name !== undefined) return `(typeof zod.${name})['${member}'] => ${path}.${member}`;
  if (def.type === 'enum') return `${shown(Object.values(def.entries))} => ${path}.options[0]!`;
  if (def.type === 'literal') return `ReadonlySet<${shown(def.values)}> => ${path}.values`;
  return `unknown => ${path}.${member}`;
}

const shown = (values: readonly unknown[]): string =>
  values
    .map((value) => (typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)))
    .join(' | ');

function partsOf({ schema, path }: Step): Step[] {
  const def = schema._zod.def as z.core.$ZodTypes['_zod']['def'];
  const listed = (schemas: readonly z.core.$ZodType[], at: string): Step[] =>
    schemas.map((each, index) => ({ schema: each, path: `${at}[${String(index)}]` }));
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([key, each]) => ({
        schema: each,
        path: `${path}.shape[${JSON.stringify(key)}]`,
      }));
    case 'array':
      return [{ schema: def.element, path: `${path}.element` }];
    case 'union':
      return listed(def.options, `${path}.options`);
    case 'tuple':
      return [
        ...listed(def.items, `${path}.def.items`),
        ...(def.rest ? [{ schema: def.rest, path: `${path}.def.rest` }] : []),
      ];
    case 'intersection':
      return [
        { schema: def.left, path: `${path}.def.left` },
        { schema: def.right, path: `${path}.def.right` },
      ];
    case 'optional':
      return [{ schema: def.innerType, path: `${path}.unwrap()` }];
    case 'lazy':
      return [{ schema: def.getter(), path: `${path}.unwrap()` }];
    default:
      return [];
  }
}
