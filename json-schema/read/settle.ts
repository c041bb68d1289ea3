import { directReferences, circularDefinitions } from '../cycles.js';
import { leadingTo } from '../graph.js';
import { mapParts, partsForSameValue, referencesOf } from '../lookup.js';
import type { Node } from '../model.js';
import { type Cost, lost, type ReadDefinition } from './reader.js';
import type { Fault } from './report.js';

type Read = Map<string, ReadDefinition>;
type Costed = Node & Cost;
type Annotations = Pick<Node, 'description' | 'default' | 'deprecated'>;

/**
 * Makes sure that a fault never refuses a value, however the schemas around it count what they accept: a negation of a place
 * that accepts everything would accept nothing.
 */
export function settled(read: Read): Read {
  const found = withoutCircles(read);
  const faulty = [...found].filter(([, { node }]) => (node as Costed).inexact);
  if (faulty.length === 0) return found;
  const direct = new Map([...found].map(([name, { node }]) => [name, directReferences(node)]));
  const unseen = leadingTo(
    faulty.filter(([, { node }]) => isUnseen(node, new Set())).map(([name]) => name),
    direct,
  );
  const inexact = leadingTo(
    faulty.map(([name]) => name),
    new Map([...found].map(([name, { references }]) => [name, references])),
  );
  for (const name of inexact) {
    const definition = found.get(name);
    if (definition) found.set(name, { ...definition, node: widened(definition.node) });
  }
  return found;

  function widened(node: Costed): Node {
    const { inexact: _, unseen: __, ...plain } = mapParts(relaxed(node), widened) as Costed;
    return plain;
  }

  /** The node, or one that accepts what it would accept without the faults below it. */
  function relaxed(node: Node): Node {
    switch (node.kind) {
      case 'not':
        return isInexact(node.node) ? { ...annotationsOf(node), kind: 'any' } : node;
      case 'exclusive':
        return node.members.some(isInexact) ? { ...node, kind: 'union' } : node;
      case 'conditional': {
        if (!isInexact(node.if)) return node;
        const both: Node = { kind: 'intersection', members: [node.if, node.then] };
        return { ...annotationsOf(node), kind: 'union', members: [both, node.else] };
      }
      case 'array': {
        if (!node.contains || !isInexact(node.contains.node)) return node;
        const { max: _, ...contains } = node.contains;
        return { ...node, contains };
      }
      case 'unevaluated':
        return isUnseen(node, unseen) ? relaxed({ ...node.node, ...annotationsOf(node) }) : node;
      default:
        return node;
    }
  }

  function isInexact(node: Costed): boolean {
    return node.inexact === true || [...referencesOf(node)].some((name) => inexact.has(name));
  }
}

function annotationsOf({ description, default: usual, deprecated }: Node): Annotations {
  return {
    ...(description !== undefined && { description }),
    ...(usual !== undefined && { default: usual }),
    ...(deprecated !== undefined && { deprecated }),
  };
}

function isUnseen(node: Costed, names: ReadonlySet<string>): boolean {
  if (node.unseen === true || (node.kind === 'ref' && names.has(node.name))) return true;
  return partsForSameValue(node).some((part) => isUnseen(part, names));
}

/** References that lead back to their own definition, without an object or array in between, accept everything. */
function withoutCircles(read: Read): Read {
  const isDirect = [...read.values()].some(({ node }) => directReferences(node).length > 0);
  const circular = isDirect ? circularDefinitions(read) : NO_NAMES;
  if (circular.size === 0) return read;
  const cut = (node: Node): Costed => {
    if (node.kind === 'ref') return circular.has(node.name) ? lost() : node;
    if (partsForSameValue(node).length === 0) return node;
    const inner =
      node.kind === 'unevaluated' ? { ...node, node: cut(node.node) } : mapParts(node, cut);
    const isCut = partsForSameValue(inner).some((part: Costed) => part.inexact);
    return isCut ? { ...inner, ...{ inexact: true } } : inner;
  };
  return new Map(
    [...read].map(([name, each]) => {
      if (!circular.has(name)) return [name, each];
      const fault = { ...CIRCULAR, pointer: each.pointer ?? '' };
      const diagnostics = [fault, ...each.diagnostics];
      return [name, { ...each, node: cut(each.node), diagnostics }];
    }),
  );
}

const NO_NAMES: ReadonlySet<string> = new Set();

const CIRCULAR: Omit<Fault, 'pointer'> = {
  code: 'circular-ref',
  severity: 'error',
  message: 'The schema refers to itself without an object or array in between.',
  help: 'Remove the circular reference: no value can be checked against it.',
};
