import { SPOKEN } from './table.js';

export {
  DEFAULT_REVISION,
  DIALECT_REVISIONS,
  EXTENDED,
  LATEST,
  REVISIONS,
  SPOKEN,
} from './table.js';
export type { Revision } from './table.js';

/** What the table says about a revision that servers and clients speak. */
export interface Traits {
  readonly dialect: 'core' | 'ext';
  /** Whether messages may come in arrays. */
  readonly batches?: boolean;
  /** Whether a party MUST use only capabilities that were declared. */
  readonly strictCapabilities?: boolean;
  /** Whether its own messages include tasks. */
  readonly tasks?: boolean;
}

/** The names of the spoken revisions with a trait, oldest first. */
export function revisionsWhere(has: (traits: Traits) => boolean): string[] {
  return Object.entries(SPOKEN).flatMap(([name, traits]) => (has(traits) ? name : []));
}
