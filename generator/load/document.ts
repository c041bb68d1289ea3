import { DiagnosticError, jsonPointer, quote } from '../diagnostics/index.js';
import type { Diagnostic, DiagnosticCode } from '../diagnostics/index.js';
import type { JsonSchema, JsonValue, SchemaDocument } from '../ir/index.js';
import { checkDefinition } from './check.js';
import type { CheckedDefinition, Scope } from './check.js';
import { circularDefinitions } from './cycles.js';
import { isObject } from './keywords.js';
import type { Limits } from './limits.js';
import { checkName } from './names.js';

export interface ReadDocument {
  /** Contains no definition with an error, and none that refers to one. */
  readonly document: SchemaDocument;
  readonly diagnostics: readonly Diagnostic[];
}

const CONTAINERS = ['$defs', 'definitions'] as const;
type Container = (typeof CONTAINERS)[number];

const DIALECTS: Readonly<Record<string, SchemaDocument['dialect']>> = {
  'http://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft-07/schema': 'draft-07',
  'https://json-schema.org/draft/2020-12/schema': '2020-12',
};

/**
 * Reads the definitions of a parsed schema document. It reports and leaves out definitions with errors,
 * and the definitions that need them.
 *
 * @throws {DiagnosticError} when nothing can be read: `not-a-schema`, `empty-document`,
 *   `too-large`, `duplicate-definition`.
 */
export function readDocument(name: string, json: JsonValue, limits: Limits): ReadDocument {
  if (!isObject(json)) {
    throw refusal('not-a-schema', 'The document is not a JSON object.', '', HELP);
  }
  const dialect = dialectOf(json);
  const { container, definitions } = definitionsOf(json, limits);
  const checked = checkAll(container, definitions);
  const diagnostics = [...checked.values()].flatMap((each) => each.diagnostics);
  const sound = dropBroken(container, definitions, checked, diagnostics);
  return { document: { name, dialect, definitions: sound }, diagnostics };
}

function dialectOf(json: { [key: string]: JsonValue }): SchemaDocument['dialect'] {
  const written = json['$schema'];
  if (written === undefined) return json['$defs'] === undefined ? 'draft-07' : '2020-12';
  const dialect = typeof written === 'string' ? DIALECTS[written.replace(/#$/, '')] : undefined;
  if (dialect) return dialect;
  throw refusal(
    'not-a-schema',
    `The schema draft ${quote(JSON.stringify(written))} is not supported.`,
    '/$schema',
    `Use ${Object.keys(DIALECTS)
      .filter((uri) => !uri.startsWith('https://json-schema.org/draft-07'))
      .join(' or ')}.`,
  );
}

function definitionsOf(
  json: { [key: string]: JsonValue },
  limits: Limits,
): { container: Container; definitions: Map<string, JsonSchema> } {
  const present = CONTAINERS.filter((key) => json[key] !== undefined);
  const container = present[0];
  if (!container) {
    const looksLike = ['type', 'properties', 'anyOf', '$ref'].some((key) => key in json);
    throw looksLike
      ? refusal('empty-document', 'The document is a schema without definitions.', '', HELP)
      : refusal('not-a-schema', 'The object has neither "$defs" nor "definitions".', '', HELP);
  }
  const definitions = new Map<string, JsonSchema>();
  for (const key of present) {
    const group = json[key];
    if (!isObject(group)) throw refusal('not-a-schema', `"${key}" must be an object.`, `/${key}`);
    for (const [name, schema] of Object.entries(group)) {
      if (definitions.has(name)) throw duplicateDefinition([key, name]);
      definitions.set(name, schema as JsonSchema);
    }
  }
  if (definitions.size === 0) {
    throw refusal('empty-document', 'The document has no definitions.', `/${container}`, HELP);
  }
  if (definitions.size > limits.definitions) {
    const most = limits.definitions.toLocaleString('en');
    throw refusal(
      'too-large',
      `The document has ${definitions.size.toLocaleString('en')} definitions, more than ${most}.`,
      `/${container}`,
    );
  }
  return { container, definitions };
}

const HELP = 'Put the schemas to generate under "$defs", by name.';

export function duplicateDefinition(path: readonly string[]): DiagnosticError {
  return refusal(
    'duplicate-definition',
    `${quote(path.at(-1) ?? '')} is defined twice.`,
    jsonPointer(path),
    'Remove or rename one of the two.',
  );
}

function checkAll(
  container: Container,
  definitions: ReadonlyMap<string, JsonSchema>,
): Map<string, CheckedDefinition> {
  const circular = circularDefinitions(definitions);
  const scope: Scope = { container, has: (name) => definitions.has(name) };
  return new Map(
    [...definitions].map(([name, schema]) => {
      const own: Diagnostic[] = [];
      const badName = checkName(name, container);
      if (badName) own.push(badName);
      if (circular.has(name)) {
        own.push({
          code: 'circular-ref',
          severity: 'error',
          message: `${quote(name)} refers to itself without an object or array in between.`,
          pointer: jsonPointer([container, name]),
          help: 'Remove the circular reference: no value can be checked against it.',
        });
      }
      if (typeof schema !== 'boolean' && !isObject(schema)) {
        own.push({
          code: 'malformed-keyword',
          severity: 'error',
          message: `${quote(name)} is not a schema.`,
          pointer: jsonPointer([container, name]),
        });
      }
      const { diagnostics, references } = checkDefinition(name, schema, scope);
      return [name, { diagnostics: [...own, ...diagnostics], references }];
    }),
  );
}

/** Leaves out definitions with errors, then definitions that refer to those. */
function dropBroken(
  container: Container,
  definitions: ReadonlyMap<string, JsonSchema>,
  checked: ReadonlyMap<string, CheckedDefinition>,
  diagnostics: Diagnostic[],
): Map<string, JsonSchema> {
  const users = usersOf(checked);
  const sound = new Map(definitions);
  const broken = [...checked]
    .filter(([, { diagnostics: own }]) => own.some(({ severity }) => severity === 'error'))
    .map(([name]) => name);
  broken.forEach((name) => sound.delete(name));
  for (let name = broken.pop(); name !== undefined; name = broken.pop()) {
    for (const user of users.get(name) ?? []) {
      if (!sound.delete(user)) continue;
      broken.push(user);
      diagnostics.push({
        code: 'skipped-definition',
        severity: 'warning',
        message: `${quote(user)} is left out because it refers to ${quote(name)}.`,
        pointer: jsonPointer([container, user]),
      });
    }
  }
  return sound;
}

function usersOf(checked: ReadonlyMap<string, CheckedDefinition>): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [name, { references }] of checked) {
    for (const reference of references) {
      const list = users.get(reference);
      if (list) list.push(name);
      else users.set(reference, [name]);
    }
  }
  return users;
}

function refusal(
  code: DiagnosticCode,
  message: string,
  pointer: string,
  help?: string,
): DiagnosticError {
  return new DiagnosticError([
    { code, severity: 'error', message, pointer, ...(help && { help }) },
  ]);
}
