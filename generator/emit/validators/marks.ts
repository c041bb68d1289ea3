import { type ArrayNode, type Node, type ObjectNode, resolve } from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
import { parameter } from './code.js';
import { pascalCase, pathName } from './identifiers.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';

/** Writes what notes the keys and items that a node describes, for `unevaluated`. */
export interface Marks {
  /** Statements on `v` and `e`, for a value that the node accepts. */
  statements(node: Node, path: string): readonly string[];
  /** A function `(v, e, c) => void`, as an expression. */
  functionOf(node: Node, path: string): string;
}

/** What marks need of the checks. */
export interface MarkOptions {
  readonly expression: (node: Node, value: string, path: string) => string;
  readonly arrow: (node: Node, value: string, path: string) => string;
  readonly takeName: (wanted: string) => string;
  readonly add: (source: string) => void;
}

export function createMarks(plan: Plan, scope: Scope, options: MarkOptions): Marks {
  const { expression, arrow, takeName, add } = options;
  const functions = new Map<string, string>();

  const use = (name: string): string => scope.value('evaluated', name);

  function statements(node: Node, path: string): string[] {
    if (!describes(node, new Set())) return [];
    switch (node.kind) {
      case 'object':
        return objectMarks(node);
      case 'array':
        return arrayMarks(node, path);
      case 'intersection':
        return node.members.flatMap((each, i) => statements(each, pathName(path, `Part${i + 1}`)));
      case 'union':
      case 'exclusive':
        return node.members.flatMap((each, i) => {
          const inner = pathName(path, `Option${i + 1}`);
          return when(() => expression(each, 'v', inner), statements(each, inner), []);
        });
      case 'conditional': {
        const part = (name: 'if' | 'then' | 'else'): string[] =>
          statements(node[name], pathName(path, pascalCase(name)));
        const condition = (): string => expression(node.if, 'v', pathName(path, 'If'));
        return when(condition, [...part('if'), ...part('then')], part('else'));
      }
      case 'unevaluated':
        return [
          ...statements(node.node, pathName(path, 'Evaluated')),
          ...(node.properties ? [`${use('addAllKeys')}(e, v);`] : []),
          ...(node.items ? [`${use('addAllItems')}(e, v);`] : []),
        ];
      case 'ref': {
        const context = plan.needsContext(node) ? ', c' : '';
        return [`${definitionMark(plan.standIn(node.name))}(v, e${context});`];
      }
      default:
        return [];
    }
  }

  function objectMarks({ properties, patterns = [], additional }: ObjectNode): string[] {
    if (additional.kind !== 'unsaid') return [`${use('addAllKeys')}(e, v);`];
    const listed = properties.filter((each) => !each.unlisted).map(({ name }) => quoted(name));
    return [
      ...(listed.length > 0 ? [`${use('addKeys')}(e, v, [${listed.join(', ')}]);`] : []),
      ...patterns.map(
        ({ pattern }) =>
          `${use('addMatching')}(e, v, (key) => ${scope.pattern(pattern)}.test(key));`,
      ),
    ];
  }

  function arrayMarks({ items, openItems, prefix, contains }: ArrayNode, path: string): string[] {
    if (items.kind !== 'any' || openItems) return [`${use('addAllItems')}(e, v);`];
    const matches = contains?.evaluates && arrow(contains.node, 'p', pathName(path, 'Contained'));
    return [
      ...(prefix ? [`${use('addFirst')}(e, v, ${prefix.length});`] : []),
      ...(matches ? [`${use('addItems')}(e, v, ${matches});`] : []),
    ];
  }

  function definitionMark(name: string): string {
    const key = `definition ${name}`;
    const known = functions.get(key);
    if (known !== undefined) return known;
    const own = takeName(`mark${name}`);
    functions.set(key, own);
    const node = plan.definitions.get(name)?.node;
    if (node) write(own, node, name);
    return own;
  }

  function write(name: string, node: Node, path: string): void {
    const lines = statements(node, path).map((line) => `  ${line}\n`);
    const given = (name: string): string => parameter(name, lines.join(''));
    const context = plan.needsContext(node)
      ? `, ${given('c')}: ${scope.type('check', 'Context')}`
      : '';
    const parameters = `${given('v')}: unknown, ${given('e')}: ${scope.type('evaluated', 'Evaluated')}`;
    add(`function ${name}(${parameters}${context}): void {\n${lines.join('')}}\n`);
  }

  /** Whether a node can describe any key or item. A recursive one may. */
  function describes(node: Node, seen: ReadonlySet<string>): boolean {
    switch (node.kind) {
      case 'object':
        return (
          node.additional.kind !== 'unsaid' ||
          node.patterns !== undefined ||
          node.properties.some((each) => !each.unlisted)
        );
      case 'array':
        return (
          node.items.kind !== 'any' ||
          node.openItems === true ||
          node.prefix !== undefined ||
          node.contains?.evaluates === true
        );
      case 'intersection':
      case 'union':
      case 'exclusive':
        return node.members.some((each) => describes(each, seen));
      case 'conditional':
        return [node.if, node.then, node.else].some((each) => describes(each, seen));
      case 'unevaluated':
        return true;
      case 'ref': {
        const target = resolve(node, plan.definitions);
        return seen.has(node.name) || describes(target, new Set(seen).add(node.name));
      }
      default:
        return false;
    }
  }

  return {
    statements,
    functionOf(node, path) {
      const form = plan.form(node);
      const known = functions.get(form);
      if (known !== undefined) return known;
      const own = takeName(`mark${path}`);
      functions.set(form, own);
      write(own, node, path);
      return own;
    },
  };
}

/** The condition is only written where something depends on it. */
function when(condition: () => string, yes: readonly string[], no: readonly string[]): string[] {
  if (yes.length === 0 && no.length === 0) return [];
  if (yes.length === 0) return [`if (!(${condition()})) {`, ...no.map((line) => `  ${line}`), '}'];
  const otherwise = no.length === 0 ? ['}'] : ['} else {', ...no.map((line) => `  ${line}`), '}'];
  return [`if (${condition()}) {`, ...yes.map((line) => `  ${line}`), ...otherwise];
}
