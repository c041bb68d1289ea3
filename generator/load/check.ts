import { jsonPointer, quote } from '../diagnostics/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { isFormat, listedNames, referencedName } from '../ir/index.js';
import type { JsonSchema, JsonValue } from '../ir/index.js';
import { isObject, KEYWORDS } from './keywords.js';

type Path = readonly (string | number)[];

/** The definitions that references of one document can resolve to. */
export interface Scope {
  /** `$defs` or `definitions`. */
  readonly container: string;
  readonly has: (name: string) => boolean;
}

export interface CheckedDefinition {
  readonly diagnostics: readonly Diagnostic[];
  /** The definitions that it refers to. */
  readonly references: ReadonlySet<string>;
}

/** Reports all errors of one definition. */
export function checkDefinition(name: string, schema: JsonSchema, scope: Scope): CheckedDefinition {
  const diagnostics: Diagnostic[] = [];
  const references = new Set<string>();
  const report = (
    path: Path,
    diagnostic: Omit<Diagnostic, 'severity' | 'pointer'> & Partial<Diagnostic>,
  ): void => {
    diagnostics.push({ severity: 'error', ...diagnostic, pointer: jsonPointer(path) });
  };

  const visit = (value: JsonValue, path: Path): void => {
    if (!isObject(value)) return;
    for (const [keyword, content] of Object.entries(value)) {
      visitKeyword(value, keyword, content, [...path, keyword]);
    }
  };

  const visitKeyword = (
    owner: { [key: string]: JsonValue },
    keyword: string,
    content: JsonValue,
    path: Path,
  ): void => {
    const known = KEYWORDS.get(keyword);
    if (!known) {
      report(path, {
        code: 'unsupported-keyword',
        message: `The keyword ${quote(keyword)} is not supported.`,
        help: `Supported: ${[...KEYWORDS.keys()].join(', ')}.`,
      });
      return;
    }
    const keywordError = known.check(content);
    if (keywordError) {
      const { code, message, help } = keywordError;
      report(path, { code, message: `${quote(keyword)} ${message}.`, ...(help && { help }) });
      return;
    }
    if (known.concerns && !saysType(owner, known.concerns)) {
      report(path, {
        code: 'unsupported-keyword',
        message: `${quote(keyword)} needs "type": ${quote(known.concerns)} beside it.`,
        help: 'Add the type: without it the keyword applies to some values only.',
      });
      return;
    }
    if (keyword === 'propertyNames' && listedNames(content) && owner['properties'] !== undefined) {
      report(path, {
        code: 'unsupported-keyword',
        message: '"propertyNames" with a list of names cannot be combined with "properties".',
        help: 'Name every property in "properties" and set "additionalProperties" to false.',
      });
      return;
    }
    const names = keyword === 'required' ? (content as string[]) : listedNames(content);
    if ((keyword === 'required' || keyword === 'propertyNames') && names?.includes('__proto__')) {
      reportProto(path);
      return;
    }
    descend(keyword, content, path);
  };

  const reportProto = (path: Path): void => {
    report(path, {
      code: 'bad-name',
      message: 'A property cannot be named "__proto__", because that is the prototype.',
      help: 'Rename the property.',
    });
  };

  const descend = (keyword: string, content: JsonValue, path: Path): void => {
    switch (keyword) {
      case '$ref':
        visitReference(content as string, path);
        break;
      case 'format':
        visitFormat(content as string, path);
        break;
      case 'properties':
        for (const [property, schema] of Object.entries(content as object)) {
          visitProperty(property, schema as JsonValue, [...path, property]);
        }
        break;
      case 'anyOf':
      case 'allOf':
        (content as JsonValue[]).forEach((schema, index) => visit(schema, [...path, index]));
        break;
      case 'items':
      case 'additionalProperties':
        visit(content, path);
        break;
      default:
        break;
    }
  };

  const visitProperty = (property: string, schema: JsonValue, path: Path): void => {
    if (property === '__proto__') reportProto(path);
    else visit(schema, path);
  };

  const visitFormat = (format: string, path: Path): void => {
    if (isFormat(format)) return;
    report(path, {
      code: 'unsupported-keyword',
      message: `The format ${quote(format)} is unknown, so any string is valid.`,
      severity: 'warning',
    });
  };

  const visitReference = (reference: string, path: Path): void => {
    if (!reference.startsWith('#')) {
      report(path, {
        code: 'remote-ref',
        message: `${quote(reference)} points to another document, which is not read.`,
        help: `Copy its target to "${scope.container}".`,
      });
      return;
    }
    const target = referencedName(reference);
    if (target !== undefined && scope.has(target)) {
      references.add(target);
      return;
    }
    report(path, {
      code: 'dangling-ref',
      message: `${quote(reference)} in ${quote(name)} points to a missing definition.`,
      help: danglingHelp(reference, target, schema, scope),
    });
  };

  visit(schema, [scope.container, name]);
  return { diagnostics, references };
}

function saysType(owner: { [key: string]: JsonValue }, wanted: string): boolean {
  const types = Array.isArray(owner['type']) ? owner['type'] : [owner['type']];
  return types.some((type) => type === wanted || (wanted === 'number' && type === 'integer'));
}

function danglingHelp(
  reference: string,
  target: string | undefined,
  definition: JsonSchema,
  scope: Scope,
): string {
  const nested = isObject(definition) ? (definition['$defs'] ?? definition['definitions']) : {};
  if (target !== undefined && isObject(nested) && Object.hasOwn(nested, target)) {
    return (
      `${quote(target)} is nested in this definition, but "#" is the root of the document: ` +
      `move it to "${scope.container}".`
    );
  }
  return target === undefined
    ? `Point to a whole definition: "#/${scope.container}/<name>".`
    : `Define ${quote(target)} under "${scope.container}", or correct ${quote(reference)}.`;
}
