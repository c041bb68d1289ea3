import type { SourceUnit } from '../emit/index.js';
import { formatTypeScript } from '../emit/format/format.js';
import { tarballOf, TOOL } from './carried.js';
import { ownFeatures } from './choose.js';
import { pnpmSettings } from './install-scripts.js';
import { deployedNameOf } from './names.js';
import { printPackage } from './package-json.js';
import {
  featuresIn,
  heldBy,
  type Choices,
  type Features,
  type Sources,
  type Template,
  type Slot,
} from './template.js';
import { applyEdits } from './edit.js';

export interface ProjectOptions {
  readonly template: Template;
  readonly choices: Choices;
  /** The package's. */
  readonly name: string;
  readonly sources: Sources;
  /** The dependency on the runtime: a range, a path or a URL. */
  readonly runtime: string;
  /** The same for the tool. Without it, the project does not depend on the tool. */
  readonly tool?: string | undefined;
  /** From the project's folder to that of its npm or Yarn workspace. */
  readonly workspace?: string | undefined;
}

/** The files of a project, by paths from its folder. */
export async function projectUnits(options: ProjectOptions): Promise<SourceUnit[]> {
  const { template, choices, name, sources, runtime, tool } = options;
  const isVendored = [runtime, tool].some((each) => each && tarballOf(each) !== undefined);
  const features = new Set([...featuresIn(template, choices), ...(isVendored ? ['vendored'] : [])]);
  const units: SourceUnit[] = [];
  for (const [path, before] of filesOf(template, features, sources)) {
    const filled = fillSlots(path, before, template.slots, {
      own: ownFeatures(template),
      chosen: features,
    });
    const short = unscoped(name);
    const shown = DEPLOYMENT.test(path) ? deployedNameOf(short) : short;
    const named = linked(filled.replaceAll(template.placeholder, shown), features, options);
    const text =
      path === 'package.json'
        ? printPackage({ text: named, name, template, choices, features, runtime, tool })
        : await formatted(path, before, named);
    units.push({ path: template.renamed[path] ?? path, text });
  }
  const manifest = units.find(({ path }) => path === 'package.json')?.text ?? '{}';
  return [...units, ...pnpmSettings(features, manifest)];
}

/** npm and Yarn install the tool of a workspace's member in the folder of the workspace. */
function linked(text: string, features: Features, { workspace }: ProjectOptions): string {
  const isAbove = workspace !== undefined && (features.has('npm') || features.has('yarn'));
  return isAbove ? text.replaceAll(`node_modules/${TOOL}/`, `${workspace}/$&`) : text;
}

/** Files for systems that do not take every name of a package. */
const DEPLOYMENT = /\.ya?ml$|^deploy\//;

function filesOf(
  { folder, files }: Template,
  features: Features,
  sources: Sources,
): [string, string][] {
  const held = heldBy(files, features);
  return [...sources]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .map(([path, text]): [string, string] => [path.slice(folder.length + 1), text])
    .filter(([path]) => !(path in files) || held.includes(path));
}

/** Other choices and names have other lengths, so lines break elsewhere. */
async function formatted(path: string, before: string, after: string): Promise<string> {
  return path.endsWith('.ts') && after !== before ? await formatTypeScript(after) : after;
}

/** The name without its scope: `@acme/shop` becomes `shop`. */
function unscoped(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

/**
 * The file of a template for a project: in place of the text that each slot has under the template's own choices, it
 * has the text for the project's.
 *
 * @throws when the template's file does not contain the text of a slot exactly once.
 */
export function fillSlots(
  file: string,
  text: string,
  slots: readonly Slot[],
  { own, chosen }: { readonly own: Features; readonly chosen: Features },
): string {
  const edits = slots
    .filter((slot) => slot.file === file)
    .map((slot) => {
      const before = slot.text(own);
      const start = text.indexOf(before);
      if (before === '' || start < 0 || text.includes(before, start + 1)) {
        throw new Error(`The template's ${file} must contain this exactly once:\n${before}`);
      }
      return { start, end: start + before.length, text: slot.text(chosen) };
    });
  return applyEdits(text, edits);
}
