import { quote } from '../../json-schema/text.js';

/** What the operating system's errors mean, by their codes, where a user can do something about them. */
const MEANINGS: Readonly<Record<string, string>> = {
  EACCES: 'the permission is missing',
  EBUSY: 'another program uses it',
  EEXIST: 'it already exists',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links form a loop',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'the operation is not permitted',
  EROFS: 'the file system is read-only',
};

/** An error of the operating system, in words. */
export interface SystemFailure {
  readonly code: string;
  readonly path: string | undefined;
  /** Why it failed: `a part of the path is not a folder`. */
  readonly reason: string;
  readonly message: string;
}

/** Undefined for other errors, and for those of which a user only needs the code. */
export function systemFailure(error: unknown): SystemFailure | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const { code, path } = error as NodeJS.ErrnoException;
  const reason = MEANINGS[code ?? ''];
  if (code === undefined || reason === undefined) return undefined;
  const message = `Cannot use ${path === undefined ? 'a file' : quote(path)}: ${reason} (${code}).`;
  return { code, path, reason, message };
}
