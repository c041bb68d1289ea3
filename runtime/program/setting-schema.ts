import type * as z from 'zod';

/** What can be read from the schema of a setting: its meaning, its default, and what may be shown of its value. */

/** Wrappers of a schema, and the schema that a pipe ends in: from outside to inside. */
function layersOf(schema: z.ZodType): readonly z.core.$ZodTypes[] {
  const layers: z.core.$ZodTypes[] = [];
  let layer: z.core.$ZodType | undefined = schema;
  while (layer !== undefined) {
    layers.push(layer as z.core.$ZodTypes);
    layer = innerOf(layer as z.core.$ZodTypes);
  }
  return layers;
}

function innerOf(schema: z.core.$ZodTypes): z.core.$ZodType | undefined {
  const { def } = schema._zod;
  if ('innerType' in def) return def.innerType;
  return def.type === 'pipe' ? def.out : undefined;
}

/** The type that a setting has in the end. */
function typeOf(schema: z.ZodType): string {
  return layersOf(schema).at(-1)?._zod.def.type ?? '';
}

/** Types of which a value is no secret. */
const QUOTABLE: readonly string[] = ['number', 'boolean', 'enum', 'literal'];

/** Whether errors may quote the value. */
export function isQuotable(schema: z.ZodType): boolean {
  return QUOTABLE.includes(typeOf(schema));
}

/** The text of `describe`, or an empty one. */
export function meaningOf(schema: z.ZodType): string {
  const described = layersOf(schema) as readonly { readonly description?: string }[];
  return described.find(({ description }) => description !== undefined)?.description ?? '';
}

/** The default as it is written in the environment. Undefined where there is none. */
export function defaultOf(schema: z.ZodType): string | undefined {
  for (const { _zod } of layersOf(schema)) {
    const { def } = _zod;
    if (def.type === 'default' || def.type === 'prefault') return textOf(def.defaultValue);
  }
  return undefined;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether a server starts without the setting. */
export function isOptional(schema: z.ZodType): boolean {
  const kinds = layersOf(schema).map(({ _zod }) => _zod.def.type);
  return kinds.some((kind) => kind === 'default' || kind === 'prefault' || kind === 'optional');
}

/** What to write instead of a schema that accepts no text. */
const INSTEAD: Readonly<Record<string, string>> = {
  number: 'z.coerce.number()',
  bigint: 'z.coerce.bigint()',
  date: 'z.coerce.date()',
  boolean: 'z.stringbool()',
  array: 'list()',
};

/** @throws {TypeError} for a schema that no text of the environment fits, or every one. */
export function assertReadsText(name: string, schema: z.ZodType): void {
  const layers = layersOf(schema);
  if (layers.some(({ _zod }) => _zod.def.type === 'pipe')) return;
  const innermost = layers.at(-1)?._zod.def;
  const instead = INSTEAD[innermost?.type ?? ''];
  if (innermost === undefined || instead === undefined) return;
  // `z.coerce.boolean()` takes "false" for true.
  const isCoerced = 'coerce' in innermost && innermost.type !== 'boolean';
  if (isCoerced && innermost.coerce === true) return;
  throw new TypeError(`The setting ${name} is a text in the environment: use ${instead}`);
}
