import { literalsOf, propertiesOf, resolve } from '../../ir/index.js';
import type { Definitions, Node, ObjectNode, Property } from '../../ir/index.js';
import { quoted } from '../../format/layout.js';
import { covers, isOpen, isText } from './covers.js';
import { pascalCase, pathName } from './identifiers.js';
import { isLeaf } from './leaf.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import type { Writers } from './writers.js';

/** The definitions of JSON-RPC messages. */
export interface Envelopes {
  readonly request: string;
  readonly notification: string;
  readonly response: string;
  readonly error: string;
}

/** The rule of a message's params, because one check serves the rest of all messages; else of the whole. */
export function messageRule(
  kind: 'request' | 'notification',
  definition: string,
  writers: Writers,
): string[] {
  const { plan, scope } = writers;
  const properties = envelopeProperties(definition, plan);
  const params = properties ? memberOf('params', properties) : 'several';
  if (params === 'several') {
    return [`${kind}: ${rule([definition], plan, scope)}`, 'whole: true'];
  }
  return [`${kind}: ${paramsRule(params, definition, writers)}`];
}

/** The properties of a message that restricts nothing but its JSON-RPC members. */
function envelopeProperties(
  definition: string,
  { definitions }: Plan,
): readonly Property[] | undefined {
  const node = definitions.get(definition)?.node;
  const parts = node && partsOf(node, definitions);
  const all = parts?.every(isOpen) ? parts?.flatMap(({ properties }) => properties) : undefined;
  return all?.every((each) => isMember(each, definitions)) ? all : undefined;
}

/** The objects that a node is, or of which it is all. */
function partsOf(node: Node, definitions: Definitions): ObjectNode[] | undefined {
  const target = resolve(node, definitions);
  if (target.kind === 'object') return [target];
  if (target.kind !== 'intersection') return undefined;
  const parts = target.members.map((member) => partsOf(member, definitions));
  return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
}

function isMember({ name, node, required }: Property, definitions: Definitions): boolean {
  switch (name) {
    case 'jsonrpc':
      return literalsOf(node, definitions)?.join() === '2.0';
    case 'id':
      return required && isId(resolve(node, definitions));
    case 'method':
      return required && isMethod(resolve(node, definitions));
    default:
      return name === 'params' || name === 'result';
  }
}

const isMethod = (node: Node): boolean =>
  (node.kind === 'literal' && node.values.length === 1) || isText(node);

/** The one declaration of a member that restricts more than its type. */
function memberOf(name: string, properties: readonly Property[]): Property | undefined | 'several' {
  const found = properties.filter((each) => each.name === name);
  const limited = found.filter(({ node }) => !(node.kind === 'object' && isLeaf(node)));
  const [first = found[0], ...others] = limited;
  if (others.length > 0) return 'several';
  return first && { ...first, required: found.some(({ required }) => required) };
}

/** A string or an integer. */
function isId(node: Node): boolean {
  if (node.kind !== 'union') return false;
  const kinds = node.members.map((each) =>
    Object.keys(each).every((key) => key === 'kind' || key === 'integer') ? each.kind : 'other',
  );
  return kinds.sort().join() === 'number,string';
}

function paramsRule(
  params: Property | undefined,
  definition: string,
  { plan, scope, checks, shapes }: Writers,
): string {
  if (!params || params.node.kind === 'any') {
    return `[() => true, ${scope.value('shapes', 'anything')}]`;
  }
  const path = pathName(definition, 'Params');
  const [check, shape] = [checks.named(params.node, path), shapes.lazy(params.node, path)];
  if (params.required) return `[${check}, ${shape}]`;
  const context = plan.needsContext(params.node) ? ', c' : '';
  return `[(v${context}) => v === undefined || ${check}(v${context}), /*@__PURE__*/ ${scope.value('shapes', 'option')}(${shape})]`;
}

/** The check and the shape of one of these definitions. */
export function rule(definitions: readonly string[], plan: Plan, scope: Scope): string {
  const names = definitions.map(plan.standIn);
  const [first = ''] = names;
  if (names.length === 1) return `[${scope.check(first)}, ${scope.shape(first)}]`;
  const node: Node = { kind: 'union', members: names.map((name) => ({ kind: 'ref', name })) };
  const parameters = plan.needsContext(node) ? '(v, c)' : '(v)';
  const checks = names.map((name) => {
    const args = plan.needsContext({ kind: 'ref', name }) ? 'v, c' : 'v';
    return `${scope.check(name)}(${args})`;
  });
  return `[\n        ${parameters} => ${checks.join(' || ')},\n        /*@__PURE__*/ ${closest(names, plan, scope)},\n      ]`;
}

/** The shape of the definition that a value is closest to: of two, the one whose own required property it has. */
function closest(names: readonly string[], plan: Plan, scope: Scope): string {
  const shapes = names.map((name) => scope.shape(name));
  const [first = [], second = [], ...others] = names.map((name) =>
    propertiesOf({ kind: 'ref', name }, plan.definitions),
  );
  const own = second.find(
    ({ name, required }) => required && !first.some((each) => each.name === name),
  );
  if (!own || first.length === 0 || others.length > 0)
    return `${scope.value('shapes', 'either')}(${shapes.join(', ')})`;
  return `${scope.value('shapes', 'given')}(${quoted(own.name)}, ${shapes.reverse().join(', ')})`;
}

/** What JSON-RPC's definitions demand of the params and the result of any message. */
export type MessageParts = ReadonlyMap<'request' | 'notification' | 'response', Node>;

/** The parts of messages, unless their definitions restrict anything else. */
export function messageParts(envelopes: Envelopes, plan: Plan): MessageParts | undefined {
  const found = PARTS.map(([kind, name]) => {
    const properties = envelopeProperties(envelopes[kind], plan);
    const member = properties && memberOf(name, properties);
    if (member === undefined || member === 'several') return undefined;
    return member.required === (name === 'result') ? ([kind, member.node] as const) : undefined;
  });
  return found.every((each) => each !== undefined) ? new Map(found) : undefined;
}

export function partRules(parts: MessageParts, { checks }: Writers): string {
  const rules = [...parts].map(
    ([kind, node]) =>
      `    ${kind}: ${checks.reference(node, pathName('Message', pascalCase(kind)))},\n`,
  );
  return `  parts: {\n${rules.join('')}  },\n`;
}

const PARTS = [
  ['request', 'params'],
  ['notification', 'params'],
  ['response', 'result'],
] as const;

/** `partial: true`, unless every value that these rules accept is a part of a message. */
export function partialRule(
  rules: {
    readonly request?: string;
    readonly notification?: string;
    readonly results?: readonly string[];
  },
  parts: MessageParts | undefined,
  plan: Plan,
): string[] {
  const isPart = (kind: 'request' | 'notification' | 'response', node: Node): boolean => {
    const base = parts?.get(kind);
    return base !== undefined && covers(node, base, plan);
  };
  const hasParams = (kind: 'request' | 'notification', definition: string | undefined): boolean => {
    if (definition === undefined) return true;
    const properties = envelopeProperties(definition, plan);
    const params = properties && memberOf('params', properties);
    return params !== undefined && params !== 'several' && isPart(kind, params.node);
  };
  const whole =
    hasParams('request', rules.request) &&
    hasParams('notification', rules.notification) &&
    (rules.results ?? []).every((name) => isPart('response', { kind: 'ref', name }));
  return whole ? [] : ['partial: true'];
}
