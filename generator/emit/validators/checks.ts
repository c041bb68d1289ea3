import type { ArrayNode, Node, ObjectNode, Property } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { createNames, pascalCase } from './names.js';
import { canonicalForm } from './plan.js';
import type { Plan } from './plan.js';
import { leafExpression } from './leaf.js';
import { planUnion } from './union.js';
import type { Dispatch } from './union.js';

/** Writes the functions that tell whether a value is valid, and nothing else about it. */
export interface Checks {
  /** The function of a definition, after those that only it calls. */
  define(name: string, node: Node): readonly string[];
}

/** Inherited by every object: only an own property of such a name counts. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

export function createChecks(plan: Plan): Checks {
  const byForm = new Map<string, string>();
  let sources: string[] = [];
  const names = createNames([...plan.definitions.keys()].map((name) => `check${name}`));
  for (const [name, { node }] of plan.definitions) {
    if (plan.standIn(name) === name) byForm.set(canonicalForm(node), `check${name}`);
  }

  function expression(node: Node, value: string, path: string): string {
    const leaf = leafExpression(node, value);
    if (leaf !== undefined) return leaf;
    if (node.kind === 'ref') {
      const args = argumentsFor(node, value);
      const name = `check${plan.standIn(node.name)}`;
      return plan.isRecursive(node.name) ? `nest(${name}, ${args})` : `${name}(${args})`;
    }
    return `${functionFor(node, path)}(${argumentsFor(node, value)})`;
  }

  const argumentsFor = (node: Node, value: string): string =>
    plan.needsContext(node) ? `${value}, c` : value;

  /** One function for all nodes that accept the same values in the same way. */
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

  function write(name: string, node: Node, path: string): void {
    const code = body(node, path);
    const value = /\bv\b/.test(code) ? 'v' : '_v';
    const given = /\bc\b/.test(code) ? 'c' : '_c';
    const context = plan.needsContext(node) ? `, ${given}: Context` : '';
    sources.push(`function ${name}(${value}: unknown${context}): boolean {\n${code}}\n`);
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
          node.members.map((each, i) => expression(each, 'v', `${path}Part${i + 1}`)),
          '&&',
        );
      default:
        return returns([expression(node, 'v', path)], '&&');
    }
  }

  function arrayBody({ items, minItems, maxItems }: ArrayNode, path: string): string {
    const good = ['list(v)'];
    if (minItems !== undefined) good.push(`v.length >= ${minItems}`);
    if (maxItems !== undefined) good.push(`v.length <= ${maxItems}`);
    if (items.kind === 'any') return returns(good, '&&');
    const item = expression(items, 'p', `${path}Item`);
    if (item === 'false') return returns([...good, 'v.length === 0'], '&&');
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
    const optional = properties.filter(({ required, node }) => !required && node.kind !== 'any');
    const byKey = additional.kind === 'typed' || additional.kind === 'closed';
    const literalsFirst = [
      ...required.filter((each) => each.node.kind === 'literal'),
      ...required.filter((each) => each.node.kind !== 'literal'),
    ];
    const inner = (property: Property, value: string): string =>
      expression(property.node, value, path + pascalCase(property.name));
    const good = [
      'record(v)',
      ...literalsFirst.map((property) =>
        property.node.kind === 'any'
          ? `${read(property.name)} !== undefined`
          : inner(property, read(property.name)),
      ),
    ];
    if (good.includes('false')) return '  return false;\n';
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
      const check = negate(expression(node.additional.node, 'v[key]', `${path}Value`));
      return [`    if (${check}) return false;\n`];
    }
    const known = [...cases(optional, inner), ...otherKeys(node, optional, path)].join('');
    return [
      /\bp\b/.test(known) ? '    const p = v[key];\n' : '',
      `    switch (key) {\n${known}    }\n`,
    ];
  }

  /** What the `switch` does with optional properties: those with the same check share a case. */
  function cases(
    optional: readonly Property[],
    inner: (property: Property, value: string) => string,
  ): string[] {
    const byCheck = new Map<string, string[]>();
    for (const property of optional) {
      const check = inner(property, 'p');
      byCheck.set(check, [...(byCheck.get(check) ?? []), property.name]);
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
    const check =
      additional.kind === 'typed' ? expression(additional.node, 'p', `${path}Value`) : 'false';
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
    return `  if (record(v)) {\n${switchOn(dispatch, path)}  }\n${tail}`;
  }

  /** What takes no call comes first. */
  function alternatives(members: readonly Node[], path: string): string[] {
    const leaves = members.flatMap((each) => leafExpression(each, 'v') ?? []);
    const others = members
      .filter((each) => leafExpression(each, 'v') === undefined)
      .map((each, index) => expression(each, 'v', `${path}Option${index + 1}`));
    return [...leaves, ...others];
  }

  function switchOn({ property, cases: known, absent }: Dispatch, path: string): string {
    const answers = known.map(({ value, members }) => ({
      labels: [`case ${quoted(value)}:`],
      answer: join(alternatives(members, path + pascalCase(value)), '||'),
    }));
    if (absent.length > 0) {
      const answer = join(alternatives(absent, `${path}Else`), '||');
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

function read(name: string): string {
  if (INHERITED.has(name)) return `ownMember(v, ${quoted(name)})`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `v.${name}` : `v[${quoted(name)}]`;
}

/** `return a && b;`, one operand a line when there are several. */
function returns(operands: readonly string[], operator: Operator): string {
  const line = `  return ${join(operands, operator)};\n`;
  if (line.length <= 100) return line;
  return `  return (\n    ${join(operands, operator, '\n    ')}\n  );\n`;
}

type Operator = '&&' | '||';

/** What decides by itself stands alone: compilers refuse operands that are never looked at. */
function join(operands: readonly string[], operator: Operator, separator = ' '): string {
  const [decisive, idle] = operator === '&&' ? ['false', 'true'] : ['true', 'false'];
  if (operands.includes(decisive)) return decisive;
  const needed = operands.filter((operand) => operand !== idle);
  return needed.length > 0 ? needed.join(` ${operator}${separator}`) : idle;
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
