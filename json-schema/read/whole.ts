import type { Draft, RefSiblings } from '../draft.js';
import { isObject, isSchema } from '../json.js';
import type { Definitions } from '../lookup.js';
import type { JsonValue, Node } from '../model.js';
import { draftNamed } from './drafts.js';
import { Reading } from './read.js';
import type { ReadDefinition } from './reader.js';
import { type Fault, NO_SCHEMA } from './report.js';

export interface ReadSchemaOptions {
  /** The draft of a schema without `$schema`. Default: 2020-12, as in MCP. */
  readonly draft?: Draft;
  /** Documents that references may lead to, by their URIs. Nothing else is read. */
  readonly documents?: ReadonlyMap<string, JsonValue>;
  /** What becomes of the keywords beside a `$ref` up to draft-07. Default: `ignore`, with a warning. */
  readonly refSiblings?: RefSiblings;
  /** Whether `nullable: true` adds null to `type`. Default: false. */
  readonly nullable?: boolean;
  /** Levels of schemas. Default: 200. */
  readonly depth?: number;
  /** Schemas and listed values in the schema, a schema once for each way to it that gives it another meaning. Default: 100,000. */
  readonly parts?: number;
}

/** For readers that put several schemas into one table. */
export interface TableOptions {
  /** The name of the definition for the whole. Default: `Root`. */
  readonly name?: string;
  /** A new name for a definition, from the last key on the way to it; `Self` for the document. */
  readonly nameOf?: (key: string) => string;
  /** Called for each part that `parts` counts. @throws {TooLarge} to end the reading. */
  readonly visit?: () => void;
}

/** A schema as it was read. */
export interface WholeSchema {
  /** A reference to the definition of the whole. */
  readonly node: Node;
  /** The schema first, then those that it refers to, by name. */
  readonly definitions: Definitions;
  /** What is wrong, in the order of the text. Each costs its own place, which accepts everything; a warning costs nothing. */
  readonly faults: readonly Fault[];
  /** Whether the node accepts the values of the schema, and no others: no fault is an error. */
  readonly exact: boolean;
}

/** Reads one schema, of any draft. Nothing outside of it is read, and no code of it is run. It never throws. */
export function read(schema: unknown, options: ReadSchemaOptions & TableOptions = {}): WholeSchema {
  const { draft = '2020-12', depth = 200, parts = 100_000, name = 'Root', visit } = options;
  if (!isSchema(schema)) return anything(name, NO_SCHEMA);
  const written = isObject(schema) ? schema['$schema'] : undefined;
  if (!isKnownDraft(written, options)) return anything(name, UNKNOWN_DRAFT);
  let left = parts;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new TooLarge(TOO_LARGE);
    visit?.();
  };
  const { nameOf = newNames(name) } = options;
  try {
    const reading = new Reading(schema, {
      ...options,
      draft,
      depth,
      nameOf: ({ path }) => nameOf([...String(path.at(-1) ?? 'Self')].slice(0, 40).join('')),
      visit: spend,
    });
    reading.define(name);
    return whole(name, reading.finish());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const reason = error instanceof TooLarge ? error.message : TOO_LARGE;
    return anything(name, { code: 'too-large', message: `The schema ${reason}.` });
  }
}

const UNKNOWN_DRAFT = {
  code: 'not-a-schema',
  message: 'Its draft is not known.',
  pointer: '/$schema',
} as const;
const TOO_LARGE = 'is too large, or nests too deeply';

/** The keys themselves; those that were given already, with a number. */
function newNames(first: string): (key: string) => string {
  const taken = new Set([first]);
  return (key) => {
    let name = key;
    for (let count = taken.size; taken.has(name); count += 1) name = `${key} ${String(count)}`;
    taken.add(name);
    return name;
  };
}

/** Thrown beyond a limit. The whole schema then accepts everything. The message is a clause. */
export class TooLarge extends RangeError {
  override readonly name = 'TooLarge';
}

/** A metaschema of one's own is known when its document is given. */
function isKnownDraft(written: unknown, { documents }: ReadSchemaOptions): boolean {
  if (typeof written !== 'string') return written === undefined;
  return draftNamed(written) !== undefined || documents?.has(written) === true;
}

function whole(name: string, definitions: Map<string, ReadDefinition>): WholeSchema {
  const faults: Fault[] = [];
  for (const { diagnostics } of definitions.values()) faults.push(...diagnostics);
  const exact = faults.every(({ severity }) => severity === 'warning');
  return { node: { kind: 'ref', name }, definitions, faults, exact };
}

function anything(
  name: string,
  { code, message, pointer = '' }: Pick<Fault, 'code' | 'message'> & { readonly pointer?: string },
): WholeSchema {
  return {
    node: { kind: 'ref', name },
    definitions: new Map([[name, { name, node: { kind: 'any' } }]]),
    faults: [{ code, severity: 'error', message, pointer }],
    exact: false,
  };
}
