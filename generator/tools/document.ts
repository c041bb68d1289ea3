import type { Diagnostic } from '../diagnostics/index.js';
import { jsonPointer } from '../diagnostics/index.js';
import { pascalCase } from '../emit/validators/identifiers.js';
import type { Names } from '../emit/validators/identifiers.js';
import type { JsonValue } from '../ir/index.js';
import { draftNamed } from '../read/index.js';
import { bounded } from './bounds.js';
import { ALL_TYPES, TooLarge } from './context.js';
import type { Context, TypeName } from './context.js';
import { readSchema } from './read.js';
import { isObject } from '../read/index.js';
import type { JsonObject } from '../read/index.js';
import type { Path } from './reference.js';
import type { Declaration } from './declaration.js';
import { UNKNOWN } from './type.js';
import type { Type } from './type.js';

export interface DocumentOptions {
  /** The name of the whole type, which the names of referenced types begin with. */
  readonly name: string;
  /** The JSON types that its values may have. */
  readonly assumed: readonly TypeName[];
  readonly names: Names;
  /** The path of the schema, for diagnostics. */
  readonly path: Path;
  readonly report: (diagnostic: Diagnostic) => void;
  /** @throws {TooLarge} */
  readonly spend: () => void;
}

/** One schema document as types: the whole first, then each referenced place once. */
export function readSchemaDocument(schema: JsonValue, options: DocumentOptions): Declaration[] {
  const { name } = options;
  const widen: Context['widen'] = (path, code, message) => {
    options.report({
      code,
      severity: 'warning',
      message: `${message}, so the type accepts more values.`,
      pointer: jsonPointer([...options.path, ...path]),
    });
  };
  const dialect = dialectOf(schema);
  if (!isObject(schema) || !dialect) {
    widen([], 'not-a-schema', 'The schema is not an object in JSON Schema draft-07 or 2020-12');
    return [{ name, type: UNKNOWN }];
  }
  try {
    return bounded(declarationsOf(schema, dialect, options, widen), widen);
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    widen([], 'too-large', `The schema ${error.message}`);
    return [{ name, type: UNKNOWN }];
  }
}

/** Without `$schema` the draft is 2020-12, as in MCP. */
function dialectOf(schema: JsonValue): Context['dialect'] | undefined {
  const written = isObject(schema) ? schema['$schema'] : undefined;
  if (written === undefined) return '2020-12';
  return typeof written === 'string' ? draftNamed(written) : undefined;
}

function declarationsOf(
  root: JsonObject,
  dialect: Context['dialect'],
  { name, assumed, names, spend }: DocumentOptions,
  widen: Context['widen'],
): Declaration[] {
  const known = new Map<string, string>(root['type'] === 'object' ? [['', name]] : []);
  const waiting: { name: string; path: readonly string[]; schema: JsonValue }[] = [];
  const refer = (path: readonly string[], schema: JsonValue): Type => {
    const pointer = jsonPointer(path);
    const given = known.get(pointer) ?? names.take(name + (pascalCase(plain(path)) || 'Part'));
    if (!known.has(pointer)) {
      known.set(pointer, given);
      waiting.push({ name: given, path, schema });
    }
    return { kind: 'ref', name: given };
  };
  const context: Context = { root, dialect, refer, widen, spend };
  const declarations = [{ name, type: readSchema(root, { path: [], assumed }, context) }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { path, schema } = next;
    const type = readSchema(schema, { path, assumed: ALL_TYPES }, context);
    declarations.push({ name: next.name, type });
  }
  return declarations;
}

/** The letters and digits of the last part: `['$defs', 'my-node']` → `my-node`. */
function plain(path: readonly string[]): string {
  return (path.at(-1) ?? 'Self').replace(/[^A-Za-z0-9]+/g, '-').slice(0, 40);
}
