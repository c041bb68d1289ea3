import type { ArrayNode, Node, ObjectNode, Property } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { createNames, pascalCase, pathName } from './identifiers.js';
import { canonicalForm } from './plan.js';
import type { Plan } from './plan.js';
import { isLeaf, leafExpression, looksOnce } from './leaf.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';
import { planUnion } from './union.js';
import type { Dispatch } from './union.js';

/** Writes the checks, which return whether a value is valid. */
export interface Checks {
  /** The function of a definition, after the functions that only it calls. */
  define(name: string, node: Node): readonly string[];
}

/** Names that every object inherits, so that only an own property counts. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** An object with more optional properties than this is read key by key. */
const MANY_PROPERTIES = 200;

export function createChecks(plan: Plan, scope: Scope): Checks {
  const byForm = new Map<string, string>();
  let sources: string[] = [];
  const names = createNames([...plan.definitions.keys()].map((name) => `check${name}`));
  for (const [name, { node }] of plan.definitions) {
    if (plan.standIn(name) === name) byForm.set(canonicalForm(node), `check${name}`);
  }

  function expression(node: Node, value: string, path: string): string {
    const constant = constantOf(node);
    if (constant !== undefined) return String(constant);
    // Stores the result of a call, because TypeScript does not narrow calls.
    const isCall = value.endsWith(')');
    if (isLeaf(node) && (!isCall || looksOnce(node))) {
      return leafExpression(node, value, scope) ?? '';
    }
    if (node.kind === 'ref') {
      const args = argumentsFor(node, value);
      const name = `check${plan.standIn(node.name)}`;
      if (!plan.isRecursive(node.name)) return `${name}(${args})`;
      return `${scope.value('check', 'nest')}(${name}, ${args})`;
    }
    return `${functionFor(node, path)}(${argumentsFor(node, value)})`;
  }

  const argumentsFor = (node: Node, value: string): string =>
    plan.needsContext(node) ? `${value}, c` : value;

  /** One function for all equal nodes. */
  function functionFor(node: Node, path: string): string {
    const form = canonicalForm(node);
    let name = byForm.get(form);
    if (name === undefined) {
      name = names.take(`check${path}`);
      byForm.set(form, name);
      write(name, node, path);
    }
    return name;
  }

  function read(name: string): string {
    if (INHERITED.has(name)) return `${scope.value('check', 'ownMember')}(v, ${quoted(name)})`;
    return /^[A-Za-z_$][\w$]*$/.test(name) ? `v.${name}` : `v[${quoted(name)}]`;
  }

  function write(name: string, node: Node, path: string): void {
    const constant = constantOf(node);
    const code = constant === undefined ? body(node, path) : `  return ${String(constant)};\n`;
    const unused = constant === undefined ? '' : '_';
    const context = plan.needsContext(node)
      ? `, ${unused}c: ${scope.type('check', 'Context')}`
      : '';
    sources.push(`function ${name}(${unused}v: unknown${context}): boolean {\n${code}}\n`);
  }

  function body(node: Node, path: string): string {
    switch (node.kind) {
      case 'array':
        return arrayBody(node, path);
      case 'object':
        return objectBody(node, path);
      case 'union':
        return unionBody(node.members, path);
      case 'intersection':
        return returns(
          node.members.map((each, i) => expression(each, 'v', pathName(path, `Part${i + 1}`))),
          '&&',
        );
      default:
        return returns([expression(node, 'v', path)], '&&');
    }
  }

  function arrayBody({ items, minItems, maxItems }: ArrayNode, path: string): string {
    const good = [`${scope.value('check', 'list')}(v)`];
    if (minItems !== undefined) good.push(`v.length >= ${minItems}`);
    if (maxItems !== undefined) good.push(`v.length <= ${maxItems}`);
    const constant = constantOf(items);
    if (constant === true) return returns(good, '&&');
    if (constant === false) return returns([...good, 'v.length === 0'], '&&');
    const item = expression(items, 'p', pathName(path, 'Item'));
    return [
      refuseUnless(good),
      '  for (let i = 0; i < v.length; i++) {\n',
      '    const p = v[i];\n',
      `    if (${negate(item)}) return false;\n`,
      '  }\n',
      '  return true;\n',
    ].join('');
  }

  function objectBody(node: ObjectNode, path: string): string {
    const { properties, additional } = node;
    const required = properties.filter((property) => property.required);
    const optional = properties.filter((each) => !each.required && constantOf(each.node) !== true);
    const byKey =
      additional.kind === 'typed' ||
      additional.kind === 'closed' ||
      optional.length > MANY_PROPERTIES;
    const literalsFirst = [
      ...required.filter((each) => each.node.kind === 'literal'),
      ...required.filter((each) => each.node.kind !== 'literal'),
    ];
    const inner = (property: Property, value: string): string =>
      expression(property.node, value, pathName(path, pascalCase(property.name)));
    const good = [
      `${scope.value('check', 'record')}(v)`,
      ...literalsFirst.map((property) =>
        property.node.kind === 'any'
          ? `${read(property.name)} !== undefined`
          : inner(property, read(property.name)),
      ),
    ];
    if (!byKey) {
      const others = optional.map((property) => {
        const value = read(property.name);
        return `(${value} === undefined || ${inner(property, value)})`;
      });
      return returns([...good, ...others], '&&');
    }
    return [
      refuseUnless(good),
      '  for (const key in v) {\n',
      ...byKeySource(node, optional, inner, path),
      '  }\n',
      '  return true;\n',
    ].join('');
  }

  function byKeySource(
    node: ObjectNode,
    optional: readonly Property[],
    inner: (property: Property, value: string) => string,
    path: string,
  ): string[] {
    if (node.properties.length === 0 && node.additional.kind === 'typed') {
      const check = negate(expression(node.additional.node, 'v[key]', pathName(path, 'Value')));
      return [`    if (${check}) return false;\n`];
    }
    const known = [...cases(optional, inner), ...otherKeys(node, optional, path)].join('');
    const reads = optional.length > 0 || constantOf(remainder(node)) === undefined;
    return [reads ? '    const p = v[key];\n' : '', `    switch (key) {\n${known}    }\n`];
  }

  /** The cases for optional properties; properties with the same check share a case. */
  function cases(
    optional: readonly Property[],
    inner: (property: Property, value: string) => string,
  ): string[] {
    const byCheck = new Map<string, string[]>();
    for (const property of optional) {
      const check = inner(property, 'p');
      const keys = byCheck.get(check);
      if (keys) keys.push(property.name);
      else byCheck.set(check, [property.name]);
    }
    return [...byCheck].map(([check, keys]) =>
      [
        ...keys.map((key) => `      case ${quoted(key)}:\n`),
        `        if (p !== undefined && ${negate(check)}) return false;\n`,
        '        break;\n',
      ].join(''),
    );
  }

  function otherKeys(node: ObjectNode, optional: readonly Property[], path: string): string[] {
    const { additional, properties } = node;
    if (additional.kind !== 'typed' && additional.kind !== 'closed') return [];
    const free = properties.filter((property) => !optional.includes(property));
    const check = expression(remainder(node), 'p', pathName(path, 'Value'));
    return [
      ...free.map(({ name }) => `      case ${quoted(name)}:\n`),
      ...(free.length > 0 ? ['        break;\n'] : []),
      '      default:\n',
      check === 'false'
        ? '        return false;\n'
        : `        if (${negate(check)}) return false;\n`,
    ];
  }

  function unionBody(members: readonly Node[], path: string): string {
    const { dispatch, rest } = planUnion(members, plan.definitions);
    const others = alternatives(rest, path);
    if (!dispatch) return returns(others, '||');
    const tail = others.length > 0 ? returns(others, '||') : '  return false;\n';
    return `  if (${scope.value('check', 'record')}(v)) {\n${switchOn(dispatch, path)}  }\n${tail}`;
  }

  /** Puts members without a call first, and leaves out members that accept nothing. */
  function alternatives(all: readonly Node[], path: string): string[] {
    const members = all.filter((each) => constantOf(each) !== false);
    const leaves = members.filter(isLeaf).map((each) => expression(each, 'v', path));
    const others = members
      .filter((each) => !isLeaf(each))
      .map((each, index) => expression(each, 'v', pathName(path, `Option${index + 1}`)));
    return [...leaves, ...others];
  }

  function switchOn({ property, cases: known, absent }: Dispatch, path: string): string {
    const answers = known.map(({ value, members }) => ({
      labels: [`case ${quoted(value)}:`],
      answer: join(alternatives(members, pathName(path, pascalCase(value))), '||'),
    }));
    if (absent.length > 0) {
      const answer = join(alternatives(absent, pathName(path, 'Else')), '||');
      const same = answers.find((each) => each.answer === answer);
      if (same) same.labels.push('case undefined:');
      else answers.push({ labels: ['case undefined:'], answer });
    }
    return [
      `    switch (${read(property)}) {\n`,
      ...answers.flatMap(({ labels, answer }) => [
        ...labels.map((label) => `      ${label}\n`),
        `        return ${answer};\n`,
      ]),
      '      default:\n        return false;\n    }\n',
    ].join('');
  }

  return {
    define(name, node) {
      sources = [];
      write(`check${name}`, node, name);
      return sources;
    },
  };
}

/** The check of the values of unnamed keys. */
function remainder({ additional }: ObjectNode): Node {
  if (additional.kind === 'typed') return additional.node;
  return { kind: additional.kind === 'closed' ? 'never' : 'any' };
}

/** `return a && b;`, one operand a line when there are several. */
function returns(operands: readonly string[], operator: Operator): string {
  const line = `  return ${join(operands, operator)};\n`;
  if (line.length <= 100) return line;
  return `  return (\n    ${join(operands, operator, '\n    ')}\n  );\n`;
}

type Operator = '&&' | '||';

function join(operands: readonly string[], operator: Operator, separator = ' '): string {
  return operands.join(` ${operator}${separator}`) || String(operator === '&&');
}

function refuseUnless(operands: readonly string[]): string {
  if (operands.length === 1) return `  if (${negate(operands[0] ?? '')}) return false;\n`;
  const line = `  if (!(${operands.join(' && ')})) return false;\n`;
  if (line.length <= 100) return line;
  return `  if (\n    !(\n      ${operands.join(' &&\n      ')}\n    )\n  ) {\n    return false;\n  }\n`;
}

function negate(expression: string): string {
  if (expression === 'false') return 'true';
  if (/^typeof [\w.]+ === '\w+'$/.test(expression)) return expression.replace('===', '!==');
  if (/^\w+\([^()]*\)$/.test(expression) || /^\([^()]*\)$/.test(expression))
    return `!${expression}`;
  return `!(${expression})`;
}
