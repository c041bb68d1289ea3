import type { Format, JsonPrimitive } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { FORMAT_CHECKERS } from '../formats.js';
import { createImports } from '../imports.js';
import type { Imports } from '../imports.js';
import { createNames } from './identifiers.js';

/** The shared state of one file of validators. */
export interface Scope extends Imports {
  format(format: Format): string;
  /** Requests the shape of a definition for the file. */
  shape(definition: string): string;
  /** The definitions whose shapes are used. It grows during iteration. */
  readonly shapes: ReadonlySet<string>;
  /** A constant with these values as a set. */
  setOf(values: readonly JsonPrimitive[]): string;
  /** The declarations of those constants. */
  sets(): string;
}

export function createScope(): Scope {
  const imports = createImports();
  const names = createNames([]);
  const sets = new Map<string, string>();
  const shapes = new Set<string>();
  return {
    ...imports,
    format(format) {
      const { module, name } = FORMAT_CHECKERS[format];
      return imports.value(module, name);
    },
    shape(definition) {
      shapes.add(definition);
      return `shape${definition}`;
    },
    shapes,
    setOf(values) {
      const form = values.map(primitive).join(',\n  ');
      const name = sets.get(form) ?? names.take('values');
      sets.set(form, name);
      return name;
    },
    sets: () =>
      [...sets]
        .map(
          ([form, name]) =>
            `\nconst ${name}: ReadonlySet<unknown> = /*@__PURE__*/ new Set<unknown>([\n  ${form},\n]);\n`,
        )
        .join(''),
  };
}

export function primitive(value: JsonPrimitive): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}
