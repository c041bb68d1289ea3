import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '../../runtime/client/node/index.js';
import { configFolder } from './folders.js';
import type { Env } from './io.js';

/** What a user has trusted: the requests of a project's file, in one folder. */
export interface TrustedContent {
  readonly folder: string;
  /** SHA-256 of what the file asks for. */
  readonly hash: string;
}

/** The projects that this user trusts, a private file each: programs that run at once do not disturb each other. */
export interface Trust {
  /** @throws {PrivateFileError} */
  has(content: TrustedContent): Promise<boolean>;
  /** @throws {PrivateFileError} */
  add(content: TrustedContent): Promise<void>;
}

export function openTrust(env: Env): Trust {
  // The folder counts, because `node server.js` is another program in another folder.
  const entryOf = ({ folder, hash }: TrustedContent) => {
    const entry = { folder: realpathSync(folder), hash };
    const name = createHash('sha256').update(JSON.stringify(entry)).digest('hex').slice(0, 32);
    return { entry, path: join(configFolder(env), 'trusted', `${name}.json`) };
  };
  return {
    async has(content) {
      const { entry, path } = entryOf(content);
      const { folder, hash } = Object(await readPrivateFile(path)) as Partial<TrustedContent>;
      return folder === entry.folder && hash === entry.hash;
    },
    async add(content) {
      const { entry, path } = entryOf(content);
      await writePrivateFile(path, entry);
    },
  };
}
