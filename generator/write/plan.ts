import type { Folder, Found } from './folder.js';
import { EMPTY_MANIFEST, MANIFEST_FILE, parseManifest, printManifest, sha256 } from './manifest.js';
import type { Manifest, ManifestEntry, Recipe } from './manifest.js';

/** The planned change of one file. */
export interface Step {
  readonly path: string;
  readonly action: 'create' | 'update' | 'skip' | 'delete' | 'conflict';
  /** The reason of a conflict. */
  readonly reason?: string;
  /** The content after `create` and `update`: text or bytes. */
  readonly text?: string;
  readonly bytes?: Uint8Array;
  /** The file's state when the plan was made. */
  readonly found: Found;
}

/** The planned changes of a folder, sorted by path, with the manifest last. */
export type Plan = readonly Step[];

/** The wanted files of one protocol. */
export interface Wanted {
  readonly name: string;
  readonly input: string;
  readonly clean: boolean;
  readonly recipe?: Recipe;
  /** The shared modules that the files import. */
  readonly support?: readonly string[];
  /** By path below the output folder: the text, or the hash of a file that stays as it is. */
  readonly files: ReadonlyMap<string, { readonly text: string } | { readonly sha256: string }>;
}

export interface PlanOptions {
  /** Overwrite edited files and files that were not generated. */
  readonly force: boolean;
  /** Whether to delete the files of protocols that are not wanted: those of the same `config`. */
  readonly prune: boolean;
  /** The configuration of this run, relative to the output folder. Another's folder is a conflict. */
  readonly config?: string;
}

/** The folder's manifest; `undefined` when there is none or it is invalid. */
export function readManifest(folder: Folder): Manifest | undefined {
  const found = folder.look(MANIFEST_FILE);
  if (found.kind === 'nothing') return EMPTY_MANIFEST;
  const text = found.kind === 'file' ? folder.read(MANIFEST_FILE) : undefined;
  return text === undefined ? undefined : parseManifest(text);
}

/** Compares the wanted files with the folder. It changes nothing. */
export function makePlan(folder: Folder, wanted: readonly Wanted[], options: PlanOptions): Plan {
  const known = readManifest(folder);
  const manifest = known ?? EMPTY_MANIFEST;
  const written = new Map([...manifest.protocols.values()].flatMap(({ files }) => [...files]));
  const kept = keptEntries(manifest, wanted, options);
  const files = new Map(wanted.flatMap((each) => [...each.files]));
  const staying = new Set([...kept.values()].flatMap((entry) => [...entry.files.keys()]));
  const dropped = [...written.keys()].filter((path) => !files.has(path) && !staying.has(path));
  const steps = [
    ...[...files].map(([path, file]) =>
      'text' in file
        ? planFile(path, file, folder.look(path), written.get(path), options)
        : ({ path, action: 'skip', found: { kind: 'file', ...file } } as const),
    ),
    ...dropped.flatMap((path) => planRemoval(path, folder.look(path), written.get(path), options)),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  return [...steps, planManifest(folder, known, kept, wanted, options)];
}

/** A file that belongs to the user once it is written. */
export type NewFile = { readonly path: string } & Content;

/** What a file holds. */
export type Content = { readonly text: string } | { readonly bytes: Uint8Array };

/** Plans files that belong to the user after they are written, so no manifest lists them. */
export function planFiles(
  folder: Folder,
  files: readonly NewFile[],
  { force }: Pick<PlanOptions, 'force'>,
): Plan {
  return files
    .map(({ path, ...content }) =>
      planFile(path, content, folder.look(path), undefined, { force, prune: false }),
    )
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function keptEntries(
  { protocols }: Manifest,
  wanted: readonly Wanted[],
  options: PlanOptions,
): Map<string, ManifestEntry> {
  const names = new Set(wanted.map(({ name }) => name));
  const kept = [...protocols].filter(([name, entry]) => !names.has(name) && stays(entry, options));
  return new Map(
    kept.map(([name, entry]) => [name, options.force ? disowned(entry, options) : entry]),
  );
}

/** Whether a protocol that a run does not want stays in the folder. */
export function stays(
  entry: ManifestEntry,
  { prune, config }: Pick<PlanOptions, 'prune' | 'config'>,
): boolean {
  return !prune || entry.config !== config;
}

/** What a configuration that takes the folder over does not want: from then on, no run deletes it. */
function disowned(entry: ManifestEntry, { config: taker }: PlanOptions): ManifestEntry {
  const { config, ...rest } = entry;
  return taker === undefined || config === undefined || config === taker ? entry : rest;
}

/** Another configuration that generates into this folder. */
function otherConfig({ protocols }: Manifest, { config }: PlanOptions): string | undefined {
  if (config === undefined) return undefined;
  const owners = [...protocols.values()].map((entry) => entry.config);
  return owners.find((owner) => owner !== undefined && owner !== config);
}

function planFile(
  path: string,
  content: Content,
  found: Found,
  writtenHash: string | undefined,
  { force }: PlanOptions,
): Step {
  if (found.kind === 'nothing') return { path, action: 'create', ...content, found };
  if (found.kind === 'obstacle') {
    return { path, action: 'conflict', reason: `is ${found.what}`, found };
  }
  if (found.sha256 === sha256(bytesOf(content))) return { path, action: 'skip', found };
  if (force || found.sha256 === writtenHash) return { path, action: 'update', ...content, found };
  const reason = writtenHash
    ? 'was edited after it was generated'
    : 'was not generated by this tool';
  return { path, action: 'conflict', reason, found };
}

function bytesOf(content: Content): string | Uint8Array {
  return 'text' in content ? content.text : content.bytes;
}

/** Plans the deletion of a file of this tool, whatever its content is. */
export function planDeletion(folder: Folder, path: string): Plan {
  const found = folder.look(path);
  return found.kind === 'file' ? [{ path, action: 'delete', found }] : [];
}

function planRemoval(
  path: string,
  found: Found,
  writtenHash: string | undefined,
  { force }: PlanOptions,
): Step[] {
  if (found.kind === 'nothing') return [];
  if (found.kind === 'file' && (force || found.sha256 === writtenHash)) {
    return [{ path, action: 'delete', found }];
  }
  const reason =
    found.kind === 'file'
      ? 'is no longer wanted, but was edited after it was generated'
      : `is ${found.what}`;
  return [{ path, action: 'conflict', reason, found }];
}

function planManifest(
  folder: Folder,
  known: Manifest | undefined,
  kept: ReadonlyMap<string, ManifestEntry>,
  wanted: readonly Wanted[],
  options: PlanOptions,
): Step {
  const { force } = options;
  const written = wanted.filter(({ files }) => files.size > 0);
  const entries = written.map(({ name, recipe, files, ...rest }): [string, ManifestEntry] => {
    // Generated by hand, a configuration's protocol stays that configuration's.
    const config = options.config ?? known?.protocols.get(name)?.config;
    return [
      name,
      {
        ...(recipe && { recipe }),
        ...(recipe && config !== undefined && { config }),
        input: rest.input,
        clean: rest.clean,
        ...(rest.support && { support: rest.support }),
        files: new Map([...files].map(([path, file]) => [path, hashOf(file)])),
      },
    ];
  });
  const text = printManifest({ protocols: new Map([...kept, ...entries]) });
  const found = folder.look(MANIFEST_FILE);
  const other = known && !force ? otherConfig(known, options) : undefined;
  if (other !== undefined) {
    const reason = `belongs to the configuration ${other}, not to ${options.config ?? ''}: give one of them another "out"`;
    return { path: MANIFEST_FILE, action: 'conflict', reason, found };
  }
  const ours = known && found.kind === 'file' ? found.sha256 : undefined;
  return planFile(MANIFEST_FILE, { text }, found, ours, { force, prune: false });
}

function hashOf(file: { readonly text: string } | { readonly sha256: string }): string {
  return 'text' in file ? sha256(file.text) : file.sha256;
}

/** The steps that prevent `applyPlan` from writing: files that the user edited or that are not generated. */
export function conflictsOf(plan: Plan): Step[] {
  return plan.filter(({ action }) => action === 'conflict');
}

/** The files that a run would change, except the manifest. */
export function staleFiles(plan: Plan): Step[] {
  return plan.filter(({ path, action }) => action !== 'skip' && path !== MANIFEST_FILE);
}
