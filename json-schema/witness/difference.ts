import type { Schemas } from '../compare/proof.js';
import type { ArrayNode, JsonValue, Node, ObjectNode, Property } from '../model.js';
import type { Sampler } from '../sample/samples.js';
import { quote } from '../text.js';

/** - `input`: what programs send, by the schema before. `output`: what they get, by the schema after. */
export type Direction = 'input' | 'output';

/** What is sent or returned, and what has to accept it. */
export type Side = 'narrow' | 'wide';

/** What differs at a place: all of it, the rules for items or for keys, or one property, absent where a schema has none. */
export type Change =
  | { readonly kind: 'node'; readonly before: Node; readonly after: Node }
  | { readonly kind: 'items'; readonly before: ArrayNode; readonly after: ArrayNode }
  | { readonly kind: 'keys'; readonly before: ObjectNode; readonly after: ObjectNode }
  | {
      readonly kind: 'property';
      readonly name: string;
      readonly before: Property | undefined;
      readonly after: Property | undefined;
    };

/** A place where two schemas differ. */
export interface Difference {
  /** For people: `city.names[]`; empty for the whole. */
  readonly path: string;
  /** The nearest place in the schema before, as a JSON pointer. */
  readonly pointer: string;
  readonly change: Change;
  /** What is sent or returned at the place, and what has to accept it: the same but for this change. */
  readonly narrow: Node;
  readonly wide: Node;
  /** The node that has to accept it, but for this change. */
  readonly undone: Node;
  /** The whole schema of a side, with this node at the place. */
  readonly put: (side: Side, node: Node) => Node;
  /** A whole value with this value at the place. `turn` chooses what is around it. */
  readonly lift: (value: JsonValue, turn: number) => JsonValue;
}

export interface Walking extends Schemas {
  readonly direction: Direction;
  /** Values of the narrow schema. */
  readonly sampler: Sampler;
  readonly report: (difference: Difference) => void;
}

/** A place that is walked through. */
export type Spot = Pick<Difference, 'path' | 'pointer' | 'lift' | 'put'>;

/** Walks two schemas at the same time. */
export interface Walk extends Walking {
  readonly into: (before: Node, after: Node, spot: Spot) => void;
  /** The node whose values have to be accepted, and the one that has to accept them. */
  readonly sides: <T>(before: T, after: T) => { readonly narrow: T; readonly wide: T };
}

/** `city`, `"a b"`: a name in a path. */
export function pathTo(path: string, name: string): string {
  const shown = /^[\w$-]+$/.test(name) ? name : quote(name);
  return path === '' ? shown : `${path}.${shown}`;
}
