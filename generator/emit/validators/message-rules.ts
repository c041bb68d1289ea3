import {
  type Definitions,
  literalsOf,
  type Node,
  type ObjectNode,
  propertiesOf,
  type Property,
  resolve,
} from '../../../json-schema/index.js';
import { quoted } from '../format/layout.js';
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

/** The code of a rule of a method, in a function with the parameters of `Rules`. */
export interface MessageRule {
  readonly check: string;
  readonly shape: string;
  /** Whether it is of the whole message. */
  readonly whole?: boolean;
}

/** The rule of a message's params, because one check serves the rest of all messages; else of the whole. */
export function messageRule(definition: string, writers: Writers): MessageRule {
  const properties = envelopeProperties(definition, writers.plan);
  const params = properties ? memberOf('params', properties) : 'several';
  if (params !== 'several') return paramsRule(params, definition, writers);
  return { ...definitionRule([definition], 'message', writers), whole: true };
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
): MessageRule {
  const use = (name: string): string => scope.value('shapes', name);
  if (!params || params.node.kind === 'any') {
    return { check: params?.required ? 'v !== undefined' : 'true', shape: use('anything') };
  }
  const path = pathName(definition, 'Params');
  const call = `${checks.named(params.node, path)}(v${plan.needsContext(params.node) ? ', c' : ''})`;
  const shape = shapes.lazy(params.node, path);
  if (!params.required) {
    return {
      check: `v === undefined || ${call}`,
      shape: `${use('option')}(${shape})`,
    };
  }
  if (!plan.admitsAbsence(params.node)) return { check: call, shape };
  return {
    check: `v !== undefined && ${call}`,
    shape: `${use('both')}(${use('anything')}, ${shape})`,
  };
}

/** The rule of a value that matches one of these definitions. */
export function definitionRule(
  definitions: readonly string[],
  value: string,
  { plan, scope }: Pick<Writers, 'plan' | 'scope'>,
): MessageRule {
  const names = definitions.map(plan.standIn);
  const calls = names.map((name) => {
    const context = plan.needsContext({ kind: 'ref', name }) ? ', c' : '';
    return `${scope.check(name)}(${value}${context})`;
  });
  return { check: calls.join(' || '), shape: closest(names, plan, scope) };
}

/** The check and the shape of a definition. */
export function rule(name: string, plan: Plan, scope: Scope): string {
  const own = plan.standIn(name);
  return `[${scope.check(own)}, ${scope.shape(own)}]`;
}

/** The shape of the definition that a value is closest to: of two, the one whose own required property it has. */
function closest(names: readonly string[], plan: Plan, scope: Scope): string {
  const shapes = names.map((name) => scope.shape(name));
  const all = shapes.join(', ');
  if (shapes.length === 1) return all;
  const [first = [], second = [], ...others] = names.map((name) =>
    propertiesOf({ kind: 'ref', name }, plan.definitions),
  );
  const own = second.find(
    ({ name, required }) => required && !first.some((each) => each.name === name),
  );
  if (!own || first.length === 0 || others.length > 0)
    return `${scope.value('shapes', 'either')}(${all})`;
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

/** Whether JSON-RPC's definition refuses some params of a message that its own definition accepts. */
export function hasPartialParams(
  kind: 'request' | 'notification',
  definition: string,
  parts: MessageParts | undefined,
  plan: Plan,
): boolean {
  const properties = envelopeProperties(definition, plan);
  const params = properties && memberOf('params', properties);
  if (params === undefined || params === 'several') return true;
  return !isPart(kind, params.node, parts, plan);
}

/** Whether it refuses some results that these definitions accept. */
export function hasPartialResults(
  results: readonly string[],
  parts: MessageParts | undefined,
  plan: Plan,
): boolean {
  return results.some((name) => !isPart('response', { kind: 'ref', name }, parts, plan));
}

function isPart(
  kind: 'request' | 'notification' | 'response',
  node: Node,
  parts: MessageParts | undefined,
  plan: Plan,
): boolean {
  const base = parts?.get(kind);
  return base !== undefined && covers(node, base, plan);
}
