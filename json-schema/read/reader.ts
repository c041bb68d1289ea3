import type { Fault, JsonSchemaReport } from './report.js';
import type { Place, Resource, Resources } from './resources.js';
import type { AnyNode, Definition, Node } from '../model.js';
import type { RefSiblings } from '../draft.js';

/**
 * The targets of `$dynamicRef` by the names of their anchors: the outermost resource that references led
 * through decides.
 */
export type DynamicScope = ReadonlyMap<string, Place>;

export const NO_SCOPE: DynamicScope = new Map();

/** The scope below a resource. */
export function entered(scope: DynamicScope, { dynamicAnchors }: Resource): DynamicScope {
  if (dynamicAnchors.size === 0) return scope;
  const added = [...dynamicAnchors].filter(([name]) => !scope.has(name));
  return added.length === 0 ? scope : new Map([...scope, ...added]);
}

/** One schema, and how references led to it. */
export interface At {
  readonly place: Place;
  readonly scope: DynamicScope;
}

/** What faults cost a node, until the reading ends. */
export interface Cost {
  /** A schema in it lost a keyword, so that it may accept more values. */
  readonly inexact?: true;
  /** It lost a keyword that may describe keys or items. */
  readonly unseen?: true;
}

/** What stands in the place of a schema that cannot be read. */
export const lost = (): AnyNode & Cost => ({ kind: 'any', inexact: true, unseen: true });

/** What all schemas of one reading share. */
export interface Reader {
  readonly resources: Resources;
  readonly nullable: boolean;
  readonly annotations: ReadonlySet<string>;
  readonly refSiblings: RefSiblings;
  readonly report: JsonSchemaReport;
  /** How many faults were found so far, and the schemas that lost a keyword which may describe keys or items. */
  readonly faults: { count: number; readonly unseen: Set<Place> };
  /** Called for each schema and each listed value that is read. */
  readonly visit: (() => void) | undefined;
  /** The node for the target of a reference. */
  readonly refer: (target: At) => Node;
  /** Reads a schema below another one, at these keys. */
  readonly below: (at: At, ...parts: readonly (string | number)[]) => Node;
}

/** One definition as it was read. */
export interface ReadDefinition extends Definition {
  /** All problems in it. Each error cost its place, where every value is accepted; a warning cost nothing. */
  readonly diagnostics: readonly Fault[];
  /** The names of the definitions that it refers to. */
  readonly references: ReadonlySet<string>;
}
