import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';

/** A package as a file that package managers install. */
export interface Tarball {
  /**
   * With version and a hash of the contents, `mcp-codegen-0.1.0-0a1b2c3d4e5f.tgz`, because a lock file treats two tarballs of
   * one name as the same package.
   */
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

const HASH_CHARACTERS = 12;

/** The files of a package's folder as a tarball, without what is installed in it. The same files have the same name. */
export function packFolder(root: string): Tarball {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly name: string;
    readonly version: string;
  };
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll(sep, '/'))
    .filter((path) => !/^node_modules(?:\/|$)/.test(path) && statSync(join(root, path)).isFile())
    .sort();
  const entries = paths.flatMap((path) => entryOf(path, readFileSync(join(root, path))));
  const archive = Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]);
  const hash = createHash('sha256').update(archive).digest('hex').slice(0, HASH_CHARACTERS);
  const shown = name.replace('@', '').replace('/', '-');
  return { fileName: `${shown}-${version}-${hash}.tgz`, bytes: gzipSync(archive, { level: 9 }) };
}

const BLOCK = 512;
/** In bytes. */
const LONGEST_NAME = 100;
/** That of npm, in seconds: no clock decides about the hash. */
const MODIFIED = 499_162_500;

/** One file as POSIX ustar has it: a block that describes it, and its bytes in whole blocks. */
function entryOf(path: string, bytes: Buffer): Buffer[] {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number): string =>
    `${value.toString(8).padStart(digits, '0')}\0`;
  // Whole where it fits, because some programs do not read the second part.
  const whole = `package/${path}`;
  const isWhole = Buffer.byteLength(whole) <= LONGEST_NAME;
  const fields: readonly (readonly [offset: number, text: string])[] = [
    [0, isWhole ? whole : basename(path)],
    // Programs begin with `#!`.
    [100, octal(bytes.toString('latin1', 0, 2) === '#!' ? 0o755 : 0o644, 7)],
    [108, octal(0, 7)],
    [116, octal(0, 7)],
    [124, octal(bytes.length, 11)],
    [136, octal(MODIFIED, 11)],
    [148, ' '.repeat(8)],
    [156, '0'],
    [257, 'ustar\0' + '00'],
    [345, isWhole ? '' : dirname(whole)],
  ];
  for (const [offset, text] of fields) header.write(text, offset);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)} `, 148);
  const rest = (BLOCK - (bytes.length % BLOCK)) % BLOCK;
  return [header, bytes, Buffer.alloc(rest)];
}
