import { fragmentParts } from '../../../json-schema/pointer.js';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isUrl } from './location.js';

/** Where the schemas are in a document. */
export interface PlaceIn {
  /** A file or a URL, as the user wrote it. */
  readonly document: string;
  /** The keys that lead there from the root; undefined for the whole document. */
  readonly at?: readonly string[];
}

/** `openapi.yaml#/components/schemas` → the document and the keys. A path that is there is a whole document. */
export function placeIn(location: string, folder = '.'): PlaceIn {
  const end = location.indexOf('#/');
  const isWhole = end === -1 || (!isUrl(location) && existsSync(resolve(folder, location)));
  if (isWhole) return { document: location };
  return { document: location.slice(0, end), at: fragmentParts(location.slice(end + 1)) };
}

/** The location without its keys. */
export function withoutPointer(location: string): string {
  const end = location.indexOf('#/');
  return end === -1 ? location : location.slice(0, end);
}
