import { quote } from '../json-schema/text.js';
import { UsageError } from './exit.js';

const VERSION = String.raw`v?(?:\d+|[xX*])(?:\.(?:\d+|[xX*])){0,2}(?:-[\w.-]+)?(?:\+[\w.-]+)?`;
const COMPARATOR = String.raw`(?:~>|[<>]=?|[=~^])?\s*${VERSION}`;
const SET = String.raw`(?:${VERSION}\s+-\s+${VERSION}|${COMPARATOR}(?:\s+${COMPARATOR})*)`;

/** What package managers take for the version of a dependency. */
const SPECIFIERS: readonly RegExp[] = [
  new RegExp(String.raw`^\s*${SET}(?:\s*\|\|\s*${SET})*\s*$`),
  // A tag, such as `latest`.
  /^[A-Za-z][\w.-]*$/,
  // A folder or a tarball.
  /^(?:\.{0,2}|~|[A-Za-z]:)[/\\]\P{Cc}+$/u,
  /^\P{Cc}+\.(?:tgz|tar\.gz)$/u,
  // A URL, also of a protocol that only package managers have: `file:`, `npm:`, `workspace:`.
  /^[A-Za-z][A-Za-z\d+.-]+:[^\s\p{Cc}]+$/u,
];

/**
 * Refuses a value of `--runtime` that no package manager can install, before it stands in `package.json`.
 *
 * @throws {UsageError}
 */
export function checkRuntime(written: string | undefined): void {
  if (written === undefined || SPECIFIERS.some((specifier) => specifier.test(written))) return;
  throw new UsageError(
    `Invalid version ${quote(written)} for --runtime.`,
    'Give a range of versions such as "^1.0.0", a tag such as "latest", a path or a URL.',
  );
}
