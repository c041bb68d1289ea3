import type { Type } from './type.js';

/** A type and the name that it is exported by. */
export interface Declaration {
  readonly name: string;
  readonly type: Type;
}
