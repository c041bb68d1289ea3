import { pascalCase } from '../ir/index.js';
import { type Definition, mapParts, type Node, type ObjectNode } from '../../json-schema/index.js';
import type { Protocol } from '../ir/index.js';

/**
 * Gives the inline parts of definitions names of their own, made of the names of the places that they are in. Then a type,
 * a Zod schema and a validator exist for each. Parts that say no more than which type a value has stay where they
 * are, and so do those that describe the same value as the whole.
 */
export function namedParts(protocol: Protocol): Protocol {
  const taken = new Set(protocol.definitions.map(({ name }) => name));
  const named: Definition[] = [];
  for (const definition of protocol.definitions) {
    const { name, document } = definition;
    const parts: Definition[] = [];
    const node = new Namer(taken, parts).within(definition.node, name);
    named.push({ ...definition, node });
    // One by one, because an untrusted schema decides how many there are.
    for (const part of parts) named.push({ ...part, ...(document !== undefined && { document }) });
  }
  return { ...protocol, definitions: named.sort((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Longer names are cut, because each level makes a name longer. */
const LONGEST = 80;

class Namer {
  readonly #taken: Set<string>;
  readonly #parts: Definition[];

  constructor(taken: Set<string>, parts: Definition[]) {
    this.#taken = taken;
    this.#parts = parts;
  }

  /** The node with names for its parts. `owner` is the name of the definition, or of the place, that it is in. */
  within(node: Node, owner: string): Node {
    switch (node.kind) {
      case 'object':
        return this.#object(node, owner);
      case 'array': {
        const { items, prefix } = node;
        return {
          ...node,
          items: this.#part(items, `${owner}Item`),
          ...(prefix && {
            prefix: prefix.map((each, index) =>
              this.#part(each, `${owner}Item${String(index + 1)}`),
            ),
          }),
        };
      }
      case 'union':
      case 'exclusive':
        return { ...node, members: this.#members(node.members, owner) };
      case 'intersection':
      case 'unevaluated':
        return mapParts(node, (part) => this.#same(part, owner));
      default:
        // The parts of conditions only decide which values are accepted.
        return node;
    }
  }

  #object(node: ObjectNode, owner: string): ObjectNode {
    const { properties, additional, patterns } = node;
    const value = `${owner}Value`;
    return {
      ...node,
      properties: properties.map((each) => ({
        ...each,
        node: this.#part(each.node, owner + pascalCase(each.name), each.pointer),
      })),
      additional:
        additional.kind === 'typed'
          ? { kind: 'typed', node: this.#part(additional.node, value) }
          : additional,
      ...(patterns && {
        patterns: patterns.map((each) => ({ ...each, node: this.#part(each.node, value) })),
      }),
    };
  }

  /** A part that describes the same value as the whole: its own parts get names, but not the part. */
  #same(node: Node, owner: string): Node {
    if (node.kind !== 'union' && node.kind !== 'exclusive') return this.within(node, owner);
    return { ...node, members: node.members.map((member) => this.#same(member, owner)) };
  }

  #members(members: readonly Node[], owner: string): Node[] {
    const complex = members.filter(hasStructure);
    return members.map((member) => {
      const number = complex.indexOf(member) + 1;
      if (number === 0) return this.within(member, owner);
      const only = complex.length === 1 ? 'Object' : undefined;
      return this.#part(member, owner + (labelOf(member) ?? only ?? `Option${String(number)}`));
    });
  }

  #part(node: Node, wanted: string, pointer?: string): Node {
    if (!hasStructure(node)) return this.within(node, wanted);
    const name = this.#take(wanted);
    const { description, default: value, deprecated } = node;
    this.#parts.push({
      name,
      ...(description !== undefined && { description }),
      node: this.within(withoutDescription(node), name),
      ...(pointer !== undefined && { pointer }),
    });
    return {
      kind: 'ref',
      name,
      ...(description !== undefined && { description }),
      ...(value !== undefined && { default: value }),
      ...(deprecated !== undefined && { deprecated }),
    };
  }

  #take(wanted: string): string {
    const short = [...wanted].slice(0, LONGEST).join('');
    let name = short;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${short}${String(count)}`;
    this.#taken.add(name);
    return name;
  }
}

function withoutDescription({ description: _, ...node }: Node): Node {
  return node;
}

/** Whether a part says more than a type, a list of values, or what all items or values have in common. */
function hasStructure(node: Node): boolean {
  switch (node.kind) {
    case 'object': {
      const { properties, patterns, names, minProperties, maxProperties } = node;
      const counts = minProperties !== undefined || maxProperties !== undefined;
      return properties.length > 0 || patterns !== undefined || names !== undefined || counts;
    }
    case 'array':
      return node.prefix !== undefined || node.contains !== undefined;
    case 'constant':
    case 'exclusive':
    case 'intersection':
    case 'not':
    case 'conditional':
    case 'unevaluated':
      return true;
    default:
      return false;
  }
}

/** What tells a member of a union from the others: the value of a property that can have only one. */
function labelOf(member: Node): string | undefined {
  const objects = member.kind === 'intersection' ? member.members : [member];
  const properties = objects.flatMap((each) => (each.kind === 'object' ? each.properties : []));
  for (const { node, required } of properties) {
    const [value, ...others] = node.kind === 'literal' ? node.values : [];
    if (required && typeof value === 'string' && others.length === 0) return pascalCase(value);
  }
  return undefined;
}
