import type { Type } from './type.js';

/** A type and its exported name. */
export interface Declaration {
  readonly name: string;
  readonly type: Type;
}
