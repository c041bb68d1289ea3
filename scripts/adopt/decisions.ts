import type { RevisionEntry, RevisionTable } from '../revisions/table.js';
import type { Described } from '../describe-schema.js';
import { lineOf, lineWith } from './places.js';
import {
  capabilitiesOf,
  containerOf,
  definitionsOf,
  isObject,
  methodsOf,
  structureOf,
} from './read-schema.js';

/** What a person has to decide after an adoption. */
export interface Decision {
  /** From the repository's root. */
  readonly file: string;
  readonly line: number;
  readonly what: string;
}

/** A statement of `schema/`, and the corrections that apply to it. */
export interface Statement {
  readonly name: string;
  readonly schema: unknown;
  readonly corrections: readonly string[];
}

export interface Adopted extends Statement {
  readonly entry: RevisionEntry;
  /** As it is written. */
  readonly text: string;
  readonly described: Described;
}

/** The files in which decisions are taken, with their texts. */
export type Tables = Readonly<Record<'errata' | 'dialect' | 'table', SourceText>>;

interface SourceText {
  readonly file: string;
  readonly text: string;
}

/** In the order in which they are taken up: first what is missing, then what is new. */
export function decisionsAbout(
  adopted: Adopted,
  previous: Statement | undefined,
  table: RevisionTable,
  tables: Tables,
): Decision[] {
  const file = `schema/${adopted.name}/schema.json`;
  const container = containerOf(adopted.schema);
  const inSchema = (path: readonly string[], what: string): Decision => ({
    file,
    line: lineOf(adopted.text, [container, ...path]),
    what,
  });
  return [
    ...missingWords(adopted, previous, inSchema),
    ...deadLinks(adopted, inSchema),
    ...changedDefinitions(adopted, previous, inSchema),
    ...lostCorrections(adopted, previous, tables),
    ...newMethods(adopted, previous, inSchema, tables),
    ...newCapabilities(adopted, previous, inSchema),
    ...choices(adopted, table, tables),
  ];
}

type InSchema = (path: readonly string[], what: string) => Decision;

function missingWords({ described }: Adopted, previous: Statement | undefined, at: InSchema) {
  const known = definitionsOf(previous?.schema);
  const definitions = described.wordlessDefinitions.map((name) =>
    at([name], `write a description of ${name} in schema/descriptions/`),
  );
  // The name of a property may be enough. Such names were judged with the previous revision.
  const plain = plainNames(known);
  const properties = described.wordlessProperties
    .map((path) => path.split('.'))
    .filter((path) => !plain.has(path.at(-1) ?? ''))
    .map(([name = '', ...inner]) =>
      at(
        [name, ...inner.flatMap((property) => ['properties', property])],
        `write a description of ${[name, ...inner].join('.')}, unless its name is enough`,
      ),
    );
  return [...definitions, ...properties];
}

/** The names of properties without a description, wherever they stand. */
function plainNames(definitions: object): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.parse(JSON.stringify(definitions), (key, value: unknown) => {
    if (key !== 'properties' || !isObject(value)) return value;
    for (const [name, inner] of Object.entries(value)) {
      if (!isObject(inner) || inner['description'] === undefined) found.add(name);
    }
    return value;
  });
  return found;
}

/** Links of kept descriptions to definitions that are gone. */
function deadLinks({ schema, described }: Adopted, at: InSchema): Decision[] {
  const names = definitionsOf(schema);
  return Object.entries(definitionsOf(described.schema)).flatMap(([name, definition]) => {
    const links = JSON.stringify(definition).matchAll(/\{@link ([^}]*)\}/g);
    const gone = new Set([...links].flatMap(([, to = '']) => (to in names ? [] : to)));
    return [...gone].map((to) =>
      at([name], `change the description of ${name}: it links to ${to}, which is gone`),
    );
  });
}

function changedDefinitions(
  { schema, described }: Adopted,
  previous: Statement | undefined,
  at: InSchema,
): Decision[] {
  const before = definitionsOf(previous?.schema);
  const wordless = new Set(described.wordlessDefinitions);
  return Object.entries(definitionsOf(schema))
    .filter(([name]) => name in before && !wordless.has(name))
    .filter(([name, definition]) => structureOf(definition) !== structureOf(before[name]))
    .map(([name]) => at([name], `check the description of ${name}: the definition has changed`));
}

function lostCorrections(adopted: Adopted, previous: Statement | undefined, tables: Tables) {
  const { file, text } = tables.errata;
  const lost = previous?.corrections.filter((id) => !adopted.corrections.includes(id)) ?? [];
  return [...new Set(lost)].map((id) => ({
    file,
    line: lineWith(text, `id: '${id}'`),
    what: `the correction "${id}" applies no longer: is ${adopted.name} right without it?`,
  }));
}

function newMethods(
  { schema, entry }: Adopted,
  previous: Statement | undefined,
  at: InSchema,
  { dialect }: Tables,
): Decision[] {
  const before = methodsOf(previous?.schema);
  const where = `${dialect.file}:${String(lineWith(dialect.text, 'methods('))}`;
  const of = entry.dialect ?? 'ext';
  return [...methodsOf(schema)]
    .filter(([method]) => !before.has(method))
    .map(([method, name]) =>
      at([name], `no dialect serves ${method}: serve it in ${of} (${where}), or leave it to users`),
    );
}

function newCapabilities({ schema }: Adopted, previous: Statement | undefined, at: InSchema) {
  const before = new Set(capabilitiesOf(previous?.schema).map((path) => path.join('.')));
  return capabilitiesOf(schema)
    .filter((path) => !before.has(path.join('.')))
    .map(([name = '', ...inner]) =>
      at(
        [name, ...inner.flatMap((property) => ['properties', property])],
        `${name}.${inner.join('.')} is a new capability: which methods need it?`,
      ),
    );
}

/** What is data in the table, and only a person can say. */
function choices({ name, entry }: Adopted, table: RevisionTable, { table: written }: Tables) {
  const { file, text } = written;
  const at = (part: string, what: string): Decision => ({ file, line: lineWith(text, part), what });
  if (entry.extends !== undefined) return [];
  const unspoken = `servers and clients do not speak ${name}, which has neither initialize nor server/discover`;
  return [
    ...(entry.dialect === undefined ? [at(`"${name}"`, unspoken)] : []),
    ...(table.default === name
      ? []
      : [at('"default"', `commands that name no revision still take ${table.default}`)]),
  ];
}
