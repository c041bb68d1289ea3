import type { JsonSchemaReport } from './report.js';
import type { Place, Resource, Resources } from './resources.js';
import type { Node } from '../model.js';
import type { RefSiblings } from '../draft.js';

/**
 * The targets of `$dynamicRef` by the names of their anchors: the outermost resource that references led
 * through decides.
 */
export type DynamicScope = ReadonlyMap<string, Place>;

export const NO_SCOPE: DynamicScope = new Map();

/** The scope below a resource. */
export function entered(scope: DynamicScope, { dynamicAnchors }: Resource): DynamicScope {
  const added = [...dynamicAnchors].filter(([name]) => !scope.has(name));
  return added.length === 0 ? scope : new Map([...scope, ...added]);
}

/** One schema, and how references led to it. */
export interface At {
  readonly place: Place;
  readonly scope: DynamicScope;
}

/** What all schemas of one reading share. */
export interface Reader {
  readonly resources: Resources;
  readonly nullable: boolean;
  readonly annotations: ReadonlySet<string>;
  readonly refSiblings: RefSiblings;
  readonly report: JsonSchemaReport;
  /** The node for the target of a reference. */
  readonly refer: (target: At) => Node;
  /** Reads a schema below another one, at these keys. */
  readonly below: (at: At, ...parts: readonly (string | number)[]) => Node;
}
