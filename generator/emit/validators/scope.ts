import type { Format, JsonPrimitive, JsonValue } from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import { FORMAT_CHECKERS } from '../formats.js';
import { createImports } from '../imports.js';
import type { Imports } from '../imports.js';
import { createNames } from './identifiers.js';
import { linearMatcher, patternOf, regularExpression } from './pattern.js';

/** The shared state of one file of validators. */
export interface Scope extends Imports {
  format(format: Format): string;
  /** Requests the check of a definition for the file. */
  check(definition: string): string;
  /** The definitions whose checks are called. It grows during iteration. */
  readonly checks: ReadonlySet<string>;
  /** Requests the shape of a definition for the file. */
  shape(definition: string): string;
  /** The definitions whose shapes are used. It grows during iteration. */
  readonly shapes: ReadonlySet<string>;
  /** A constant with these values as a set. */
  setOf(values: readonly JsonPrimitive[]): string;
  /** An expression with a method `test`, for a pattern. */
  pattern(pattern: string): string;
  /** A constant with this value, for comparison. */
  constant(value: JsonValue): string;
  /** The declarations of those constants. */
  sets(): string;
}

export function createScope(): Scope {
  const imports = createImports();
  const names = createNames([]);
  const sets = new Map<string, string>();
  const checks = new Set<string>();
  const shapes = new Set<string>();
  const patterns = new Map<string, string>();
  const constants = new Map<string, string>();
  return {
    ...imports,
    format(format) {
      const { module, name } = FORMAT_CHECKERS[format];
      return imports.value(module, name);
    },
    check(definition) {
      checks.add(definition);
      return `check${definition}`;
    },
    checks,
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
    pattern(source) {
      const { program } = patternOf(source);
      // Outside the checks, because a literal makes an object each time that it is evaluated.
      const form = program
        ? `/*@__PURE__*/ ${linearMatcher(program, imports.value('pattern', 'linear'))}`
        : regularExpression(source);
      const name = patterns.get(form) ?? names.take('pattern');
      patterns.set(form, name);
      return name;
    },
    constant(value) {
      const form = literalText(value);
      const name = constants.get(form) ?? names.take('constant');
      constants.set(form, name);
      return name;
    },
    sets: () =>
      [
        ...[...sets].map(
          ([form, name]) =>
            `\nconst ${name}: ReadonlySet<unknown> = /*@__PURE__*/ new Set<unknown>([\n  ${form},\n]);\n`,
        ),
        ...[...patterns].map(([form, name]) => `\nconst ${name} = ${form};\n`),
        ...[...constants].map(([form, name]) => `\nconst ${name}: unknown = ${form};\n`),
      ].join(''),
  };
}

export function primitive(value: JsonPrimitive): string {
  return typeof value === 'string' ? quoted(value) : String(value);
}

/** A JSON value as an expression. A key `__proto__` stays an own key. */
function literalText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(literalText).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return primitive(value);
  const members = Object.entries(value).map(([key, each]) => {
    const name = key === '__proto__' ? `['__proto__']` : quoted(key);
    return `${name}: ${literalText(each)}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
