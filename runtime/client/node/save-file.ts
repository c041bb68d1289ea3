import { writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { makeFolder } from './make-folder.js';

/** A file that a server sent. */
export interface ReceivedFile {
  /** The server's name for it: a file name, a path or a URI. */
  readonly name: string;
  readonly mimeType?: string | undefined;
  readonly data: Uint8Array;
}

/** Files of one name in a folder, before saving gives up. */
const MOST_OF_A_NAME = 1_000;

/**
 * Saves a file from a server that may not be trusted. Its name cannot lead out of the folder, and it replaces
 * no other file: a second `plot.png` becomes `plot-2.png`. Creates the folder. Resolves with the path.
 */
export async function saveReceivedFile(folder: string, file: ReceivedFile): Promise<string> {
  await makeFolder(folder);
  const name = safeFileName(file.name, file.mimeType);
  const extension = extname(name);
  const stem = name.slice(0, name.length - extension.length);
  for (let count = 1; count <= MOST_OF_A_NAME; count += 1) {
    const path = join(folder, count === 1 ? name : `${stem}-${count}${extension}`);
    try {
      // `wx` opens no file that exists, and follows no symbolic link.
      await writeFile(path, file.data, { flag: 'wx' });
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  throw new Error(`${folder} contains ${MOST_OF_A_NAME} files named ${name} already`);
}

/** Characters of a file name, each of up to 3 bytes: file systems take 255 bytes, and a number may be added. */
const LONGEST = 80;

/** A file name without folders, for any text of a server. It has letters, digits, spaces and `.-_` only. */
export function safeFileName(name: string, mimeType?: string): string {
  const last = decoded(name.replace(/[?#].*$/s, ''))
    .split(/[/\\]/)
    .findLast((part) => part !== '');
  const plain = (last ?? '')
    .normalize('NFC')
    .replace(/[^\p{L}\p{N} ._-]/gu, '_')
    // No hidden files, no options of commands, and none of the ends that Windows drops.
    .replace(/^[ .-]+|[ .]+$/g, '');
  const known = /\.[a-z\d]{1,10}$/i.exec(plain)?.[0] ?? '';
  const extension = known === '' ? extensionOf(mimeType) : known;
  const stem = plain.slice(0, plain.length - known.length).slice(0, LONGEST - extension.length);
  return `${RESERVED.test(stem) ? '_' : ''}${stem.replace(/[ .]+$/, '') || 'file'}${extension}`;
}

/** Names of devices on Windows, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/svg+xml': '.svg',
  'audio/mpeg': '.mp3',
  'audio/wav': '.wav',
  'audio/ogg': '.ogg',
  'application/json': '.json',
  'application/pdf': '.pdf',
  'application/zip': '.zip',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
};

function extensionOf(mimeType = ''): string {
  const type = mimeType.split(';')[0]?.trim().toLowerCase() ?? '';
  return (Object.hasOwn(EXTENSIONS, type) && EXTENSIONS[type]) || '.bin';
}
