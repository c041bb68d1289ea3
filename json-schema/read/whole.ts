import type { Draft, RefSiblings } from '../draft.js';
import { isObject, isSchema } from '../json.js';
import type { Definitions } from '../lookup.js';
import type { JsonValue, Node } from '../model.js';
import { draftNamed } from './drafts.js';
import { Reading } from './read.js';
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
  /** Schemas in the schema, each counted once for each way to it that gives it another meaning. Default: 100,000. */
  readonly parts?: number;
}

/** A schema as it was read. */
export interface WholeSchema {
  /** A reference to the definition `Root`. */
  readonly node: Node;
  /** The schema and those that it refers to, by name. */
  readonly definitions: Definitions;
  /** What is wrong, in the order of the text. Each costs its own place, which accepts everything; a warning costs nothing. */
  readonly faults: readonly Fault[];
  /** Whether the node accepts the values of the schema, and no others: no fault is an error. */
  readonly exact: boolean;
}

const ROOT: Node = { kind: 'ref', name: 'Root' };
const ANY: Node = { kind: 'any' };

/** Reads one schema, of any draft. Nothing outside of it is read, and no code of it is run. It never throws. */
export function read(schema: unknown, options: ReadSchemaOptions = {}): WholeSchema {
  const { draft = '2020-12', depth = 200, parts = 100_000, ...others } = options;
  if (!isSchema(schema)) return anything(NO_SCHEMA.code, NO_SCHEMA.message);
  const written = isObject(schema) ? schema['$schema'] : undefined;
  if (!isKnownDraft(written, options)) {
    return anything('not-a-schema', 'Its draft is not known.', '/$schema');
  }
  let left = parts;
  try {
    const reading = new Reading(schema, {
      draft,
      depth,
      ...others,
      nameOf: () => `Part${String((left -= 1))}`,
      visit: () => {
        left -= 1;
        if (left < 0) throw new TooLarge();
      },
    });
    reading.define('Root');
    return whole(reading);
  } catch (error) {
    if (error instanceof TooLarge || error instanceof RangeError) {
      return anything('too-large', 'The schema is too large, or nests too deeply.');
    }
    throw error;
  }
}

class TooLarge extends Error {}

/** A metaschema of one's own is known when its document is given. */
function isKnownDraft(written: unknown, { documents }: ReadSchemaOptions): boolean {
  if (written === undefined) return true;
  return (
    typeof written === 'string' && (draftNamed(written) ? true : documents?.has(written) === true)
  );
}

function whole(reading: Reading): WholeSchema {
  const found = reading.finish();
  const faults = [...found.values()].flatMap(({ diagnostics }) => diagnostics);
  const definitions = new Map([...found].map(([name, { node }]) => [name, { name, node }]));
  const exact = faults.every(({ severity }) => severity === 'warning');
  return { node: ROOT, definitions, faults, exact };
}

function anything(code: Fault['code'], message: string, pointer = ''): WholeSchema {
  return {
    node: ANY,
    definitions: new Map(),
    faults: [{ code, severity: 'error', message, pointer }],
    exact: false,
  };
}
