import { compile } from './compile/compile.js';
import type { Compiled } from './compile/compile.js';
import type { Refusal } from './compile/refusals.js';
import { type Draft, DRAFTS } from './draft.js';
import { isObject } from './json.js';
import type { JsonValue } from './model.js';
import { jsonPointer, pointerParts } from './pointer.js';
import { DRAFT_URIS, draftNamed, isUndated } from './read/drafts.js';
import { keywordIn } from './read/keywords.js';
import { references } from './read/references.js';
import { type Fault, NO_SCHEMA } from './read/report.js';
import { read } from './read/whole.js';
import { quote } from './text.js';

export interface ValidOptions {
  /** The draft of a schema without `$schema`. Default: 2020-12, as in MCP. */
  readonly draft?: Draft;
}

/**
 * What is wrong with a schema as such: what the metaschema of its draft refuses, with formats, and references that lead to
 * nothing. Empty for a schema. What the schema means is not looked at, and nothing outside of it is read. At most 100 faults.
 */
export function metaschemaFaults(
  schema: unknown,
  { draft = '2020-12' }: ValidOptions = {},
): readonly Fault[] {
  const written = isObject(schema) ? schema['$schema'] : undefined;
  const used = typeof written === 'string' ? draftOf(written) : draft;
  if (used === undefined) return [fault('not-a-schema', '/$schema', 'Its draft is not known.')];
  try {
    const refused = metaschemaOf(used).refusals(schema, { all: true });
    const faults = refused.map((refusal) => saying(refusal, schema as JsonValue, used));
    return [
      ...new Map(faults.map((each) => [each.pointer, each])).values(),
      ...dangling(schema, used),
    ];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [fault('too-large', '', 'The schema is too large, or nests too deeply.')];
  }
}

function draftOf(written: string): Draft | undefined {
  return draftNamed(written) ?? (isUndated(written) ? DRAFTS.at(-1) : undefined);
}

const metaschemas = new Map<Draft, Compiled>();

function metaschemaOf(draft: Draft): Compiled {
  const known = metaschemas.get(draft);
  if (known) return known;
  const { node, definitions } = read({ $ref: DRAFT_URIS[DRAFTS.indexOf(draft)] }, { draft });
  const made = compile(node, definitions);
  metaschemas.set(draft, made);
  return made;
}

function dangling(schema: unknown, draft: Draft): Fault[] {
  if (!isObject(schema)) return [];
  return references(schema, draft)
    .filter(({ target }) => target === 'dangling')
    .map(({ path, keyword, written }) =>
      fault(
        'dangling-ref',
        jsonPointer([...path, keyword]),
        `${quote(written)} points to a missing schema.`,
      ),
    );
}

/** The words of the keyword, as a reader says them; else those of the metaschema. */
function saying({ pointer, reason, isType }: Refusal, schema: JsonValue, draft: Draft): Fault {
  const path = pointerParts(pointer);
  const end = endOfKeyword(path, draft);
  if (end === 0)
    return fault('not-a-schema', pointer, isType ? NO_SCHEMA.message : `The value ${reason}.`);
  const keyword = path[end - 1] ?? '';
  const value = path.slice(0, end).reduce<JsonValue>((at, part) => (at as never)[part], schema);
  const fails = keywordIn(draft, keyword)?.check(value);
  return fails === undefined
    ? fault(
        'malformed-keyword',
        pointer,
        `${quote(keyword)} ${reason === NO_REGEX ? NOT_UNICODE : reason}.`,
      )
    : fault('malformed-keyword', jsonPointer(path.slice(0, end)), `${quote(keyword)} ${fails}.`);
}

/** The metaschemas ask for the flag, which readers can do without. */
const NO_REGEX = 'must have the format "regex"';
const NOT_UNICODE = 'is not a regular expression with the flag "u"';

/** How many parts lead to the value of a keyword; 0 when the path leads to a schema. */
function endOfKeyword(path: readonly string[], draft: Draft): number {
  let at = 0;
  while (at < path.length) {
    const holds = keywordIn(draft, path[at] ?? '')?.holds;
    const isList = holds === 'schema-or-list' && /^\d+$/.test(path[at + 1] ?? '');
    const length = holds === 'schema' || (holds === 'schema-or-list' && !isList) ? 1 : 2;
    if (holds === undefined || at + length > path.length) return at + 1;
    at += length;
  }
  return 0;
}

function fault(code: Fault['code'], pointer: string, message: string): Fault {
  return { code, severity: 'error', message, pointer };
}
