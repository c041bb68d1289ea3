import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonValue } from '../../../json-schema/index.js';
import { isObject } from '../../../json-schema/json.js';
import { REVISIONS } from '../../ir/revisions/index.js';
import { canonicalForm, structuralFingerprint } from './fingerprint.js';
import { packageRoot, readRevision } from './source.js';

/** One entry of `schema/SOURCES.json`: where a bundled revision comes from. */
export interface UpstreamSource {
  readonly repository: string;
  readonly path: string;
  readonly commit: string;
  /** The hash of upstream's file. */
  readonly sha256: string;
  /** The fingerprint of the structure; see `schema/README.md`. */
  readonly fingerprint: string;
  /** The core revision that an extension is layered over. */
  readonly extends?: string;
  /** The id that both sides declare to use an extension. */
  readonly extension?: string;
}

export function upstreamSources(): Readonly<Record<string, UpstreamSource>> {
  const path = join(packageRoot(), 'schema', 'SOURCES.json');
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, UpstreamSource>;
}

/** The bundled revision with the same structure as a document. */
export function identify(json: JsonValue): string | undefined {
  if (!isObject(json)) return undefined;
  const fingerprint = structuralFingerprint(json);
  return Object.entries(upstreamSources()).find(
    ([, source]) => source.fingerprint === fingerprint,
  )?.[0];
}

type Definitions = Readonly<Record<string, JsonValue>>;

/**
 * The bundled revision that a document is a draft of: the one with the most definitions in common, among those of
 * which the document has at least half the names. `undefined` for a schema of something else.
 */
export function draftOf(json: JsonValue): string | undefined {
  const own = definitionsOf(json);
  const related = REVISIONS.filter((revision) => {
    const names = Object.keys(bundledDefinitions(revision));
    return names.filter((name) => Object.hasOwn(own, name)).length * 2 >= names.length;
  });
  return closest(own, related);
}

/** The revision that shares the most definitions with a document, whatever the document is. */
export function closestRevision(json: JsonValue): string {
  return closest(definitionsOf(json), REVISIONS) ?? REVISIONS[0];
}

/** By the part of all definitions of the two that both have in the same structure. The newest wins a tie. */
function closest(own: Definitions, revisions: readonly string[]): string | undefined {
  if (revisions.length === 0) return undefined;
  const ownForms = formsOf(own);
  const scores = revisions.map((revision) => {
    const forms = formsOf(bundledDefinitions(revision));
    const same = [...forms].filter(([name, form]) => ownForms.get(name) === form).length;
    return { revision, score: same / new Set([...ownForms.keys(), ...forms.keys()]).size };
  });
  return scores.sort((a, b) => a.score - b.score).at(-1)?.revision;
}

const bundled = new Map<string, Definitions>();

function bundledDefinitions(revision: string): Definitions {
  const known = bundled.get(revision);
  if (known) return known;
  const definitions = definitionsOf(JSON.parse(readRevision(revision).text) as JsonValue);
  bundled.set(revision, definitions);
  return definitions;
}

function definitionsOf(json: JsonValue): Definitions {
  if (!isObject(json)) return {};
  const containers = [json['definitions'], json['$defs']].filter(isObject);
  return Object.fromEntries(containers.flatMap((each) => Object.entries(each)));
}

function formsOf(definitions: Definitions): Map<string, string> {
  return new Map(
    Object.entries(definitions).map(([name, schema]) => [name, canonicalForm(schema)] as const),
  );
}
