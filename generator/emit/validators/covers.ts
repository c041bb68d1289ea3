import {
  type Definitions,
  type Node,
  type ObjectNode,
  type Property,
  resolve,
} from '../../../json-schema/index.js';

/** What is known of all definitions: the same text stands for nodes that accept the same values. */
interface Known {
  readonly definitions: Definitions;
  readonly form: (node: Node) => string;
}

/** Keys of a node that exclude no value. */
export const NO_LIMITS: ReadonlySet<string> = new Set([
  'kind',
  'description',
  'discriminator',
  'deprecated',
  'default',
  'openItems',
]);

/** Whether an object restricts nothing but its named properties. */
export function isOpen({
  properties: _,
  additional,
  hasProperties: __,
  ...limits
}: ObjectNode): boolean {
  const open = additional.kind === 'unsaid' || additional.kind === 'open';
  return open && Object.keys(limits).every((key) => NO_LIMITS.has(key));
}

/** Deeper definitions count as different, which also ends recursive ones. */
const LEVELS = 8;

/** Whether each value that `node` accepts is accepted by `base` as well; false when that is not plain to see. */
export function covers(node: Node, base: Node, known: Known, levels: number = LEVELS): boolean {
  const inner = resolve(node, known.definitions);
  const outer = resolve(base, known.definitions);
  if (known.form(inner) === known.form(outer)) return true;
  if (levels === 0) return false;
  const also = (member: Node): boolean => covers(member, outer, known, levels - 1);
  switch (inner.kind) {
    case 'union':
    case 'exclusive':
      return inner.members.every(also);
    case 'intersection':
      return inner.members.some(also);
    case 'literal':
      return isText(outer) && inner.values.every((value) => typeof value === 'string');
    case 'object':
      return (
        outer.kind === 'object' &&
        isOpen(outer) &&
        outer.properties.every((each) => {
          const own = inner.properties.find(({ name }) => name === each.name);
          return coversProperty(own, each, known, levels - 1);
        })
      );
    default:
      return false;
  }
}

function coversProperty(
  own: Property | undefined,
  base: Property,
  known: Known,
  levels: number,
): boolean {
  if (own === undefined) return !base.required && base.node.kind === 'any';
  if (base.required && !own.required) return false;
  return base.node.kind === 'any' || covers(own.node, base.node, known, levels);
}

/** Whether a node accepts every string. */
export const isText = (node: Node): boolean =>
  node.kind === 'string' && Object.keys(node).every((key) => NO_LIMITS.has(key));
