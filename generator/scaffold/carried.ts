/** The runtime package, which projects import. */
export const RUNTIME = '@mcp-codegen/runtime';
/** The tool's package, which projects use in development. */
export const TOOL = 'mcp-codegen';

/** The project's folder for tarballs of packages that are not on a registry yet. */
const VENDOR_FOLDER = 'vendor';

/** The source of one of these packages. */
export interface CarriedDependency {
  /** The specifier for `package.json`. */
  readonly specifier: string;
  /** The tarball, unless the package comes from elsewhere. */
  readonly files: readonly { readonly path: string; readonly bytes: Uint8Array }[];
}

/** A package that the user names, by its versions on the registry or by its place. */
export function fromSpecifier(specifier: string): CarriedDependency {
  return { specifier, files: [] };
}

/** Whether a specifier is a path or a URL, not a range of versions or a tag. */
export function isPlace(specifier: string): boolean {
  return /[/\\:]|\.(?:tgz|tar\.gz)$/.test(specifier);
}

/** A tarball of this tool, as a file of the project. */
export function fromTarball(fileName: string, bytes: Uint8Array): CarriedDependency {
  const path = `${VENDOR_FOLDER}/${fileName}`;
  return { specifier: `file:${path}`, files: [{ path, bytes }] };
}

const OURS = /^file:(vendor\/mcp-codegen-(?:runtime-)?\d[\w.-]*\.tgz)$/;

/** The tarball in the project, if this tool wrote it. */
export function tarballOf(specifier: string): string | undefined {
  return OURS.exec(specifier)?.[1];
}

/** The version in a dependency: of a tarball, whose host or folders may look like one, or the first in a range. */
export function versionOf(specifier: string): string | undefined {
  return /\d+\.\d+\.\d+(?!.*[/\\])/.exec(specifier)?.[0];
}
