import type {
  ArrayNode,
  ConditionalNode,
  Contains,
  Node,
  ObjectNode,
  Property,
  UnevaluatedNode,
} from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { join, negate, refuseUnless, returns } from './code.js';
import { createNames, pascalCase, pathName } from './identifiers.js';
import type { Plan } from './plan.js';
import { isLeaf, leafExpression, looksOnce } from './leaf.js';
import type { Scope } from './scope.js';
import { constantOf } from './simplify.js';
import { createMarks } from './marks.js';
import { areDisjoint, planUnion } from './union.js';
import type { Dispatch } from './union.js';

/** Writes the checks, which return whether a value is valid. */
export interface Checks {
  /** The function of a definition, after the functions that only it calls. */
  define(name: string, node: Node): readonly string[];
  /** A function `(v, c) => boolean` as an expression, for shapes. */
  reference(node: Node, path: string): string;
  /** A function `(v, e, c) => void` that notes the keys and items that a node describes. */
  markReference(node: Node, path: string): string;
  /** The functions that were written since the last call. */
  flush(): readonly string[];
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
    if (plan.standIn(name) === name) byForm.set(plan.form(node), `check${name}`);
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
    const form = plan.form(node);
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
      case 'exclusive':
        return exclusiveBody(node.members, path);
      case 'not':
        return `  return ${negate(expression(node.node, 'v', pathName(path, 'Not')))};\n`;
      case 'conditional':
        return conditionalBody(node, path);
      case 'unevaluated':
        return unevaluatedBody(node, path);
      case 'intersection':
        return returns(
          node.members.map((each, i) => expression(each, 'v', pathName(path, `Part${i + 1}`))),
          '&&',
        );
      default:
        return returns([expression(node, 'v', path)], '&&');
    }
  }

  function arrayBody(node: ArrayNode, path: string): string {
    const { items, prefix = [], minItems, maxItems, uniqueItems, contains } = node;
    const good = [`${scope.value('check', 'list')}(v)`];
    if (minItems !== undefined) good.push(`v.length >= ${minItems}`);
    if (maxItems !== undefined) good.push(`v.length <= ${maxItems}`);
    prefix.forEach((each, index) => {
      if (constantOf(each) === true) return;
      const check = expression(each, `v[${index}]`, pathName(path, `Item${index + 1}`));
      good.push(`(v.length <= ${index} || ${check})`);
    });
    const constant = constantOf(items);
    if (constant === false) good.push(`v.length <= ${prefix.length}`.replace('<= 0', '=== 0'));
    const item = constant === undefined ? expression(items, 'p', pathName(path, 'Item')) : '';
    const loops = [
      ...(item === '' ? [] : [itemLoop(item, prefix.length)]),
      ...(contains ? [containsLoop(contains, path)] : []),
      ...(uniqueItems ? [`  if (!${scope.value('values', 'distinct')}(v)) return false;\n`] : []),
    ];
    if (loops.length === 0) return returns(good, '&&');
    return [refuseUnless(good), ...loops, '  return true;\n'].join('');
  }

  function itemLoop(item: string, start: number): string {
    return [
      `  for (let i = ${start}; i < v.length; i++) {\n`,
      '    const p = v[i];\n',
      `    if (${negate(item)}) return false;\n`,
      '  }\n',
    ].join('');
  }

  function containsLoop({ node, min, max }: Contains, path: string): string {
    const check = expression(node, 'p', pathName(path, 'Contained'));
    const enough = [
      ...(min > 0 ? [`n >= ${min}`] : []),
      ...(max === undefined ? [] : [`n <= ${max}`]),
    ];
    if (enough.length === 0) return '';
    return [
      '  let n = 0;\n',
      `  for (const p of v) if (${check}) n++;\n`.replace(
        '(const p of v) if (true)',
        '(const _ of v)',
      ),
      refuseUnless(enough),
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
    const byPattern = patternSource(node, path);
    const inner = (property: Property, value: string): string =>
      expression(property.node, value, pathName(path, pascalCase(property.name)));
    const good = [
      `${scope.value('check', 'record')}(v)`,
      ...literalsFirst.map((property) =>
        property.node.kind === 'any'
          ? `${read(property.name)} !== undefined`
          : inner(property, read(property.name)),
      ),
      ...sizeLimits(node),
    ];
    if (!byKey) {
      const others = optional.map((property) => {
        const value = read(property.name);
        return `(${value} === undefined || ${inner(property, value)})`;
      });
      if (byPattern === '') return returns([...good, ...others], '&&');
      good.push(...others);
    }
    return [
      refuseUnless(good),
      '  for (const key in v) {\n',
      byPattern,
      ...(byKey ? byKeySource(node, optional, inner, path) : []),
      '  }\n',
      '  return true;\n',
    ].join('');
  }

  function sizeLimits({ minProperties, maxProperties }: ObjectNode): string[] {
    const size = (): string => `${scope.value('values', 'size')}(v)`;
    return [
      ...(minProperties ? [`${size()} >= ${minProperties}`] : []),
      ...(maxProperties === undefined ? [] : [`${size()} <= ${maxProperties}`]),
    ];
  }

  /** The rules for all keys: their names, and their values by patterns. */
  function patternSource(node: ObjectNode, path: string): string {
    const { names: rule, patterns = [], additional } = node;
    const lines: string[] = [];
    if (rule) {
      lines.push(
        `    if (${negate(expression(rule, 'key', pathName(path, 'Name')))}) return false;\n`,
      );
    }
    const asksOthers = additional.kind === 'typed' || additional.kind === 'closed';
    if (patterns.length > 0 && asksOthers) lines.push('    let other = true;\n');
    patterns.forEach(({ pattern, node: value }, index) => {
      const constant = constantOf(value);
      if (constant === true && !asksOthers) return;
      const check = expression(value, 'v[key]', pathName(path, `Pattern${index + 1}`));
      lines.push(
        `    if (${scope.pattern(pattern)}.test(key)) {\n`,
        ...(asksOthers ? ['      other = false;\n'] : []),
        ...(constant === true ? [] : [`      if (${negate(check)}) return false;\n`]),
        '    }\n',
      );
    });
    return lines.join('');
  }

  function byKeySource(
    node: ObjectNode,
    optional: readonly Property[],
    inner: (property: Property, value: string) => string,
    path: string,
  ): string[] {
    if (node.properties.length === 0 && node.additional.kind === 'typed' && !node.patterns) {
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
    const { additional, properties, patterns } = node;
    if (additional.kind !== 'typed' && additional.kind !== 'closed') return [];
    const free = properties.filter(
      (property) => !optional.includes(property) && !(patterns && property.unlisted),
    );
    const check = expression(remainder(node), 'p', pathName(path, 'Value'));
    const refused = check === 'false' ? 'return false;' : `if (${negate(check)}) return false;`;
    return [
      ...free.map(({ name }) => `      case ${quoted(name)}:\n`),
      ...(free.length > 0 ? ['        break;\n'] : []),
      '      default:\n',
      patterns ? `        if (other) {\n          ${refused}\n        }\n` : `        ${refused}\n`,
    ];
  }

  function unionBody(members: readonly Node[], path: string): string {
    const { dispatch, rest } = planUnion(members, plan);
    const others = alternatives(rest, path);
    if (!dispatch) return returns(others, '||');
    const tail = others.length > 0 ? returns(others, '||') : '  return false;\n';
    return `  if (${scope.value('check', 'record')}(v)) {\n${switchOn(dispatch, path)}  }\n${tail}`;
  }

  /** Counts the members that match, unless only one can. */
  function exclusiveBody(members: readonly Node[], path: string): string {
    if (areDisjoint(members, plan.definitions)) return unionBody(members, path);
    const checks = members.map((each, i) =>
      expression(each, 'v', pathName(path, `Option${i + 1}`)),
    );
    return [
      '  let n = 0;\n',
      ...checks.map((check) => `  if (${check} && ++n > 1) return false;\n`),
      '  return n === 1;\n',
    ].join('');
  }

  function conditionalBody(node: ConditionalNode, path: string): string {
    const part = (name: 'if' | 'then' | 'else'): string =>
      expression(node[name], 'v', pathName(path, pascalCase(name)));
    return `  return ${part('if')} ? ${part('then')} : ${part('else')};\n`;
  }

  function unevaluatedBody(node: UnevaluatedNode, path: string): string {
    const check = expression(node.node, 'v', pathName(path, 'Evaluated'));
    const rest = (rule: Node | undefined, part: string): string =>
      rule === undefined ? 'undefined' : arrow(rule, 'p', pathName(path, part));
    const nothing = `${scope.value('evaluated', 'nothing')}()`;
    const matches = scope.value('evaluated', 'restMatches');
    return [
      check === 'true' ? '' : `  if (${negate(check)}) return false;\n`,
      `  const e = ${nothing};\n`,
      ...marks.statements(node.node, pathName(path, 'Evaluated')).map((line) => `  ${line}\n`),
      `  return ${matches}(e, v, ${rest(node.properties, 'Other')}, ${rest(node.items, 'OtherItem')});\n`,
    ].join('');
  }

  /** A function of a value in a place where `c` is known. */
  function arrow(node: Node, value: string, path: string): string {
    const check = expression(node, value, path);
    return constantOf(node) === undefined ? `(${value}) => ${check}` : `() => ${check}`;
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

  const marks = createMarks(plan, scope, {
    expression,
    arrow,
    takeName: (wanted) => names.take(wanted),
    add: (source) => void sources.push(source),
  });

  function flush(): readonly string[] {
    const written = sources;
    sources = [];
    return written;
  }

  return {
    define(name, node) {
      write(`check${name}`, node, name);
      return flush();
    },
    reference(node, path) {
      const check = expression(node, 'v', path);
      const context = plan.needsContext(node) ? ', c' : '';
      return constantOf(node) === undefined ? `(v${context}) => ${check}` : `() => ${check}`;
    },
    markReference: (node, path) => marks.functionOf(node, path),
    flush,
  };
}

/** The check of the values of unnamed keys. */
function remainder({ additional }: ObjectNode): Node {
  if (additional.kind === 'typed') return additional.node;
  return { kind: additional.kind === 'closed' ? 'never' : 'any' };
}
