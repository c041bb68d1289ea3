/** The package that projects import servers, clients and the protocol from. */
export const RUNTIME = '@mcp-codegen/runtime';

/** Where a project keeps the package while it is on no registry. */
const VENDOR_FOLDER = 'vendor';

/** How a project comes by the runtime. */
export interface RuntimeDependency {
  /** What its `package.json` says. */
  readonly specifier: string;
  /** The packed package, unless it comes from a registry. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** A range of versions from the registry. */
export function fromRegistry(range: string): RuntimeDependency {
  return { specifier: range, files: [] };
}

/** The package that this tool carries, as a file of the project. */
export function fromTarball(fileName: string, bytes: Uint8Array): RuntimeDependency {
  const path = `${VENDOR_FOLDER}/${fileName}`;
  return { specifier: `file:${path}`, files: [{ path, bytes }] };
}

const OURS = /^file:(vendor\/mcp-codegen-runtime-[\w.-]+\.tgz)$/;

/** The file of the project that a dependency is in, when this tool wrote it. */
export function tarballOf(specifier: string): string | undefined {
  return OURS.exec(specifier)?.[1];
}

/** The version in a dependency: of a tarball, or the first one that a range names. */
export function versionOf(specifier: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(specifier)?.[0];
}
