import type { ComponentChildren } from 'preact';
import type { JsonValue, Node, ObjectNode } from '../../json-schema/index.js';
import { joined } from '../toolkit/index.js';
import { TypeLink } from './names.js';
import type { Known } from './names.js';

/** The largest number of levels and of parts that a type shows. */
const MOST = { levels: 6, parts: 200 };
/** Characters of a literal. */
const LONGEST = 200;

interface TypeProps {
  readonly node: Node;
  readonly known: Known;
  readonly level?: number;
}

/** A type as a line of text, close to TypeScript, with links to definitions. */
export function Type({ node, known, level = 0 }: TypeProps) {
  return (
    <>
      {level > MOST.levels ? '…' : contentOf(node, known, level)}
      {saying(node) !== '' && <span class="quiet"> ({saying(node)})</span>}
    </>
  );
}

function contentOf(node: Node, known: Known, level: number): ComponentChildren {
  const inner = (each: Node) => <Type node={each} known={known} level={level + 1} />;
  const grouped = (each: Node) => (isCompound(each) ? <>({inner(each)})</> : inner(each));
  const list = (members: readonly Node[], separator: string) =>
    joined(cut(members.map(grouped)), separator);
  switch (node.kind) {
    case 'any':
      return 'any value';
    case 'never':
      return 'no value';
    case 'ref':
      return <TypeLink name={node.name} known={known} />;
    case 'literal':
      return joined(cut(node.values.map((value) => <Literal value={value} />)), ' | ');
    case 'constant':
      return <Literal value={node.value} />;
    case 'number':
      return node.integer ? 'integer' : 'number';
    case 'array':
      return <>{grouped(node.items)}[]</>;
    case 'object':
      return objectType(node, inner);
    case 'union':
      return list(node.members, ' | ');
    case 'exclusive':
      return <>exactly one of {list(node.members, ' | ')}</>;
    case 'intersection':
      return list(node.members, ' & ');
    case 'not':
      return <>not {grouped(node.node)}</>;
    case 'conditional':
      return (
        <>
          if {grouped(node.if)} then {grouped(node.then)} else {grouped(node.else)}
        </>
      );
    case 'unevaluated':
      return <>{grouped(node.node)} and no other keys or items</>;
    default:
      return node.kind;
  }
}

const COMPOUND: ReadonlySet<Node['kind']> = new Set(['union', 'exclusive', 'intersection', 'not']);

function isCompound(node: Node): boolean {
  return COMPOUND.has(node.kind) || (node.kind === 'literal' && node.values.length > 1);
}

export function Literal({ value }: { readonly value: JsonValue }) {
  const text = JSON.stringify(value);
  return <code class="literal">{text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</code>;
}

function cut(parts: readonly ComponentChildren[]): readonly ComponentChildren[] {
  if (parts.length <= MOST.parts) return parts;
  return [...parts.slice(0, MOST.parts), `${String(parts.length - MOST.parts)} more`];
}

function objectType(
  { properties, additional }: ObjectNode,
  inner: (node: Node) => ComponentChildren,
): ComponentChildren {
  const named = properties.map(({ name, required, node }) => (
    <>
      <code>{name}</code>
      {required ? ': ' : '?: '}
      {inner(node)}
    </>
  ));
  const others = additional.kind === 'typed' ? [<>[key]: {inner(additional.node)}</>] : [];
  const parts = cut([...named, ...others]);
  return parts.length === 0 ? (
    'object'
  ) : (
    <>
      {'{ '}
      {joined(parts, '; ')}
      {' }'}
    </>
  );
}

/** The keys that restrict a value, with the words for them. */
const LIMITS: Readonly<Record<string, (value: string) => string>> = {
  format: (value) => value,
  pattern: (value) => `matches /${value}/`,
  minLength: (value) => `at least ${value} characters`,
  maxLength: (value) => `at most ${value} characters`,
  minimum: (value) => `≥ ${value}`,
  maximum: (value) => `≤ ${value}`,
  exclusiveMinimum: (value) => `> ${value}`,
  exclusiveMaximum: (value) => `< ${value}`,
  multipleOf: (value) => `a multiple of ${value}`,
  minItems: (value) => `at least ${value} items`,
  maxItems: (value) => `at most ${value} items`,
  uniqueItems: () => 'no item twice',
};

const LIMITED: ReadonlySet<Node['kind']> = new Set(['string', 'number', 'array']);

/** The limits of a value in words; empty without one. */
function saying(node: Node): string {
  if (!LIMITED.has(node.kind)) return '';
  return Object.entries(node)
    .flatMap(([key, value]: [string, unknown]) => {
      const say = Object.hasOwn(LIMITS, key) ? LIMITS[key] : undefined;
      return say && value !== false ? [say(String(value))] : [];
    })
    .join(', ');
}
