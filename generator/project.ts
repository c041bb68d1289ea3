import { emitUnits } from './emit/index.js';
import type { SourceUnit } from './emit/index.js';
import { header } from './header.js';
import { readPackageFolder, readRevision, REVISIONS } from './load/index.js';
import { protocolFromSource } from './protocol.js';
import { featuresOf, projectUnits, VENDOR_FOLDER, vendorUnits } from './scaffold/index.js';
import type { Choices, Features, Sources, Template } from './scaffold/index.js';
import { makePlan, planFiles, sha256, subfolder } from './write/index.js';
import type { Folder, Plan, PlanOptions, Wanted } from './write/index.js';

export interface ProjectRequest {
  readonly template: Template;
  readonly choices: Choices;
  /** Looked at, never written to: see `applyPlan`. */
  readonly folder: Folder;
  /** Overwrite what was edited or is somebody else's. */
  readonly force: boolean;
}

/** Plans a whole project: the user's own files, and what is generated in their midst. */
export async function planProject(
  request: ProjectRequest & { readonly name: string },
): Promise<Plan> {
  const { template, choices, folder, name, force } = request;
  const sources = await readSources(template, featuresOf(choices));
  const vendored = await vendorUnits(template, choices, sources);
  const units = await projectUnits(template, choices, name, sources, vendored);
  return [...planFiles(folder, units, { force }), ...planVendored(request, vendored.units)];
}

/** Plans what is generated in a project; nothing else is so much as looked at. */
export async function planUpdate(request: ProjectRequest): Promise<Plan> {
  const { template, choices } = request;
  const sources = await readSources(template, featuresOf(choices));
  const { units } = await vendorUnits(template, choices, sources);
  return planVendored(request, units);
}

function planVendored(
  { template, folder, force }: ProjectRequest,
  units: readonly SourceUnit[],
): Plan {
  const files = new Map(units.map(({ path, text }) => [path, { text }]));
  const input = sha256(units.map(({ path, text }) => `${path}\0${text}\0`).join(''));
  const wanted: Wanted = { name: template.name, input, clean: true, files };
  const options: PlanOptions = { force, prune: true };
  const plan = makePlan(subfolder(folder, VENDOR_FOLDER), [wanted], options);
  return plan.map((step) => ({ ...step, path: `${VENDOR_FOLDER}/${step.path}` }));
}

/** The template, the runtime, and the protocol modules, which are generated here and now. */
async function readSources(template: Template, features: Features): Promise<Sources> {
  const wanted = REVISIONS.filter(
    (revision) => features.has(revision) || template.protocols.includes(revision),
  );
  const modules = await Promise.all(wanted.map(protocolModules));
  return new Map([
    ...readPackageFolder(template.folder),
    ...readPackageFolder('runtime'),
    ...modules.flat(),
  ]);
}

async function protocolModules(revision: string): Promise<[string, string][]> {
  const source = readRevision(revision);
  const { protocol } = protocolFromSource(source);
  const units = await emitUnits(protocol, ['validators', 'protocol']);
  const above = header({ label: revision, text: source.text, command: ['update'] });
  return units.map(({ path, text }) => [`generated/${revision}/${path}`, above + text]);
}
