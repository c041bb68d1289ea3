import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Revision } from '../../../generator/read/load/index.js';
import type { SchemaDocument } from './document.js';

export { REVISIONS as revisions } from '../../../generator/read/load/index.js';
export type { Revision };

const root = new URL('../../../', import.meta.url);

/** Our own statement of a revision. */
export const bundledSchema = (revision: Revision): SchemaDocument =>
  readDocument(new URL(`schema/${revision}/schema.json`, root));

/** The official files of a revision, where a checkout of them lies beside this one. */
export function upstreamFolder(revision: Revision): string | undefined {
  const folder = fileURLToPath(new URL(`../shared/upstream/${revision}`, root));
  return existsSync(folder) ? folder : undefined;
}

/** The official schema of a revision, or undefined when it is not on this machine. */
export function upstreamSchema(revision: Revision): SchemaDocument | undefined {
  const folder = upstreamFolder(revision);
  return folder === undefined ? undefined : readDocument(`${folder}/schema.json`);
}

const readDocument = (file: string | URL): SchemaDocument =>
  JSON.parse(readFileSync(file, 'utf8')) as SchemaDocument;
