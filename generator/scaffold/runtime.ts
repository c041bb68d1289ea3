/** The runtime package, which projects import. */
export const RUNTIME = '@mcp-codegen/runtime';

/** The project's folder for the runtime's tarball, until the runtime is on a registry. */
const VENDOR_FOLDER = 'vendor';

/** The source of a project's runtime. */
export interface RuntimeDependency {
  /** The specifier for `package.json`. */
  readonly specifier: string;
  /** The tarball, unless the runtime comes from a registry. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** A range of versions from the registry. */
export function fromRegistry(range: string): RuntimeDependency {
  return { specifier: range, files: [] };
}

/** The tarball of this tool, as a file of the project. */
export function fromTarball(fileName: string, bytes: Uint8Array): RuntimeDependency {
  const path = `${VENDOR_FOLDER}/${fileName}`;
  return { specifier: `file:${path}`, files: [{ path, bytes }] };
}

const OURS = /^file:(vendor\/mcp-codegen-runtime-[\w.-]+\.tgz)$/;

/** The tarball in the project, if this tool wrote it. */
export function tarballOf(specifier: string): string | undefined {
  return OURS.exec(specifier)?.[1];
}

/** The version in a dependency: of a tarball, or the first version in a range. */
export function versionOf(specifier: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(specifier)?.[0];
}
