import type { Diagnostic } from '../../generator/diagnostics/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import type { Described } from '../describe-schema.js';
import type { Dialect, RevisionEntry, RevisionTable } from '../revisions/table.js';
import type { EntryId } from '../schema-words.js';
import type { Decision, Previous, SourceText } from './decision.js';
import { lostCorrections, lostFacts, lostWords } from './lost.js';
import { lineOf, lineWith } from './places.js';
import {
  capabilitiesOf,
  containerOf,
  definitionsOf,
  isObject,
  structureOf,
} from './read-schema.js';
import type { Statement } from './statement.js';

export interface Adopted extends Statement {
  readonly entry: RevisionEntry;
  /** As it is written. */
  readonly text: string;
  readonly described: Described;
  /** The texts of `schema/` that no revision uses after the adoption. */
  readonly unusedWords: readonly EntryId[];
}

/** The files in which decisions are taken, with their texts. */
export interface Tables {
  readonly errata: SourceText;
  readonly facts: SourceText;
  readonly dialects: Readonly<Record<Dialect, SourceText>>;
  readonly table: SourceText;
  readonly words: readonly SourceText[];
}

/** In the order in which they are taken up: first what is missing, then what is new. */
export function decisionsAbout(
  adopted: Adopted,
  previous: Previous | undefined,
  table: RevisionTable,
  tables: Tables,
): Decision[] {
  const former = previous?.isSameProtocol === true ? previous : undefined;
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
    ...lostWords(adopted.unusedWords, tables.words),
    ...(former ? changedDefinitions(adopted, former, inSchema) : []),
    ...(former ? lostCorrections(adopted, former, tables.errata) : []),
    ...(former ? lostFacts(adopted, former, tables.facts) : []),
    ...adopted.gaps.map((gap) => gapAt(gap, inSchema, tables.facts)),
    ...(former ? changedCodes(adopted, former, inSchema) : []),
    ...newMethods(adopted, previous, inSchema, tables.dialects[dialectOf(adopted, table)]),
    ...newCapabilities(adopted, former, inSchema),
    ...choices(adopted, table, tables),
  ];
}

type InSchema = (path: readonly string[], what: string) => Decision;

function dialectOf({ entry }: Adopted, { revisions }: RevisionTable): Dialect {
  return entry.dialect ?? revisions[entry.extends ?? '']?.dialect ?? 'ext';
}

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
  former: Statement,
  at: InSchema,
): Decision[] {
  const before = definitionsOf(former.schema);
  const wordless = new Set(described.wordlessDefinitions);
  return Object.entries(definitionsOf(schema))
    .filter(([name]) => name in before && !wordless.has(name))
    .filter(([name, definition]) => structureOf(definition) !== structureOf(before[name]))
    .map(([name]) => at([name], `check the description of ${name}: the definition has changed`));
}

/** What neither the schema nor a fact says, such as the side that sends a message. */
function gapAt(
  { code, message, pointer = '' }: Diagnostic,
  at: InSchema,
  { file, text }: SourceText,
): Decision {
  const path = pointer.split('/').slice(2);
  if (code !== 'unknown-sender') return at(path, `${message} Do the tables need it?`);
  const where = `${file}:${String(lineWith(text, 'senders: ['))}`;
  return at(path, `${message} Say it in ${where}, if the specification does.`);
}

/** The runtime has one code for each name. */
function changedCodes({ protocol }: Adopted, former: Statement, at: InSchema): Decision[] {
  const before = new Map(former.protocol.errors.map(({ name, code }) => [name, code]));
  return protocol.errors.flatMap(({ name, code, definition }) => {
    const old = before.get(name) ?? code;
    if (old === code) return [];
    const what = `the code of ${name} is ${String(code)}, and was ${String(old)}, which the runtime still sends`;
    return [at(definition === undefined ? [] : [definition], what)];
  });
}

function newMethods(
  { protocol }: Adopted,
  previous: Statement | undefined,
  at: InSchema,
  dialect: SourceText,
) {
  const before = methodsOf(previous?.protocol);
  const where = `${dialect.file}:${String(lineWith(dialect.text, 'this.rows ='))}`;
  return [...methodsOf(protocol)]
    .filter(([method]) => !before.has(method))
    .map(([method, name]) =>
      at([name], `no dialect serves ${method}: serve it in ${where}, or leave it to users`),
    );
}

/** The method of each message, with its definition. */
function methodsOf(protocol: Protocol | undefined): ReadonlyMap<string, string> {
  const messages = [...(protocol?.requests ?? []), ...(protocol?.notifications ?? [])];
  return new Map(messages.map(({ method, definition }) => [method, definition]));
}

function newCapabilities({ schema }: Adopted, former: Statement | undefined, at: InSchema) {
  const before = new Set(capabilitiesOf(former?.schema).map((path) => path.join('.')));
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
    ...(table.default === name || table.latest !== name
      ? []
      : [at('"default"', `commands that name no revision still take ${table.default}`)]),
  ];
}
