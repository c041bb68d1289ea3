import { relative, resolve, sep } from 'node:path';
import { DRAFTS, REF_SIBLINGS } from '../json-schema/draft.js';
import { quote } from '../json-schema/text.js';
import { EMITS } from '../generator/emit/index.js';
import type { Emit } from '../generator/emit/index.js';
import { isUrl } from '../generator/read/load/location.js';
import { isRevision } from '../generator/read/load/source.js';
import type { Ref } from '../generator/read/load/index.js';
import type { ProtocolInput } from '../generator/plan/generate.js';
import { diskFolder, readManifest } from '../generator/write/index.js';
import type { Recipe } from '../generator/write/index.js';
import { UsageError } from './exit.js';
import { manifestTools } from './tools-selection.js';
import type { SelectedTools } from './tools-selection.js';

/** What is generated. */
export interface Contents {
  readonly inputs: readonly ProtocolInput[];
  /** To be read with `readSelectedTools`. */
  readonly tools: readonly SelectedTools[];
}

/** What an output folder contains, to be generated again as it was, or as the command line says. */
export function contentsOf(
  out: string,
  cwd: string,
  given: { readonly emits: readonly Emit[] | undefined; readonly errata: boolean | undefined },
): Contents {
  const entries = [...(readManifest(diskFolder(out))?.protocols ?? [])];
  const inputs: ProtocolInput[] = [];
  const tools: SelectedTools[] = [];
  for (const [name, { recipe }] of entries) {
    if (recipe === undefined) continue;
    const { from } = recipe;
    if ('tools' in from) {
      tools.push(manifestTools(name, from.tools, out));
      continue;
    }
    if ('revision' in from && !isRevision(from.revision)) {
      throw new UsageError(
        `The output folder contains the revision ${quote(from.revision)}, which this version does not know.`,
        'Name the revisions to generate, or update mcp-codegen.',
      );
    }
    const settings = {
      emits: given.emits ?? EMITS.filter((emit) => recipe.emit.includes(emit)),
      errata: given.errata ?? recipe.errata,
    };
    inputs.push({ ...sourceOf(name, from, out, cwd), ...settings });
  }
  return { inputs, tools };
}

function sourceOf(
  name: string,
  from: Exclude<Recipe['from'], { readonly tools: string }>,
  out: string,
  cwd: string,
): ProtocolInput {
  if ('revision' in from) return from;
  const { schema, name: given, refs } = from;
  const draft = DRAFTS.find((each) => each === from.draft);
  const refSiblings = REF_SIBLINGS.find((each) => each === from.refSiblings);
  const location = isUrl(schema) ? schema : relative(cwd, resolve(out, schema));
  const called = given === undefined ? { folder: name } : { name: given };
  const dialect = { ...(draft && { draft }), ...(refSiblings && { refSiblings }) };
  return { ...called, location, refs: refsOf(refs, out, cwd), ...dialect };
}

/** References that are written relative to a folder. */
export function refsOf(
  refs: Readonly<Record<string, string>> | undefined,
  folder: string,
  cwd: string,
): Ref[] {
  return Object.entries(refs ?? {}).map(([uri, file]) => ({
    uri,
    file: relative(cwd, resolve(folder, file)),
  }));
}

/** The manifest names files relative to its own folder, so that the command works from any other. */
export function withRecord(input: ProtocolInput, out: string, cwd: string): ProtocolInput {
  if ('revision' in input) return input;
  const { location, refs = [] } = input;
  const place = (file: string): string => slashed(relative(out, resolve(cwd, file)));
  return {
    ...input,
    recordAs: isUrl(location) ? location : place(location),
    refs: refs.map((ref) => ({ ...ref, recordAs: place(ref.file) })),
  };
}

export function slashed(path: string): string {
  return path.split(sep).join('/');
}
