import type { Format } from '../ir/index.js';
import type { SupportModule } from './imports.js';

/** The function that checks each format, `(value: string) => boolean`, and its module. */
export const FORMAT_CHECKERS: Readonly<
  Record<Format, { readonly module: SupportModule; readonly name: string }>
> = {
  byte: { module: 'byte', name: 'matchesByte' },
  uri: { module: 'uri', name: 'matchesUri' },
  'uri-template': { module: 'uri-template', name: 'matchesUriTemplate' },
};
