import type { Exceptions } from './exceptions.js';
import { methodsOf } from './methods.js';
import {
  alternativesOf,
  type Definition,
  type Definitions,
  findProperty,
  type Node,
  propertiesOf,
  resolve,
  typesOf,
} from '../../json-schema/index.js';
import type {
  Capability,
  Extension,
  Notification,
  Party,
  PropertyType,
  Protocol,
  Request,
} from './model.js';

const PARTIES: readonly Party[] = ['client', 'server'];
const CAPABILITIES: Readonly<Record<Party, string>> = {
  client: 'ClientCapabilities',
  server: 'ServerCapabilities',
};

/** The inputs for deriving one protocol's messages. */
export interface MessageContext {
  readonly definitions: Definitions;
  readonly extension: Extension | undefined;
  readonly exceptions: Exceptions;
  /** Called with each exception that was applied. */
  readonly used: (exception: object) => void;
}

interface Message {
  readonly definition: Definition;
  readonly method: string;
}

export function requestsOf(context: MessageContext): Request[] {
  const inputs = methodsIn('InputRequest', context);
  return (
    messages(context)
      .filter(({ definition }) => !isNotification(definition))
      // Skips them, because an extension repeats the input requests of its revision.
      .filter(({ method }) => !(context.extension && inputs.has(method)))
      .map(({ definition, method }): Request => {
        const input = inputs.has(method);
        const senders: Party[] = input ? ['server'] : sendersOf(method, 'Request', context);
        const augmentable = isAugmentable(definition, context.definitions);
        return {
          method,
          definition: definition.name,
          senders,
          carrier: input ? 'input' : 'message',
          params: propertyType(definition, 'params', context.definitions),
          results: resultsOf(definition, augmentable, context.definitions),
          augmentable,
          capabilities: capabilitiesOf(method, senders.map(other), context),
        };
      })
      .sort(byMethod)
  );
}

export function notificationsOf(context: MessageContext): Notification[] {
  return messages(context)
    .filter(({ definition }) => isNotification(definition))
    .map(({ definition, method }): Notification => {
      const senders = sendersOf(method, 'Notification', context);
      return {
        method,
        definition: definition.name,
        senders,
        params: propertyType(definition, 'params', context.definitions),
        capabilities: capabilitiesOf(method, senders, context),
      };
    })
    .sort(byMethod);
}

/**
 * The definitions with a literal `method`, without copies: a union of one message (`ClientNotification`
 * of 2026-07-28) is a copy of that message, unless no other definition says it.
 */
function messages({ definitions }: MessageContext): Message[] {
  const said = [...definitions.values()].flatMap((definition) =>
    isUnion(definition.node)
      ? []
      : methodsOf(definition.node, definitions).map((method) => ({ definition, method })),
  );
  const isGroup = ({ definition }: Message): boolean => MESSAGE_GROUPS.has(definition.name);
  const own = said.filter((message) => !isGroup(message));
  const known = new Set(own.map(({ method }) => method));
  for (const message of said.filter(isGroup)) {
    if (known.has(message.method)) continue;
    known.add(message.method);
    own.push(message);
  }
  return own;
}

/** A request or a notification of a protocol. */
export type ProtocolMessage =
  (Request & { readonly kind: 'request' }) | (Notification & { readonly kind: 'notification' });

/**
 * The messages that the unions of a protocol list. Where it has no union of a kind, such as `ClientRequest` and
 * `ServerRequest`, all definitions of that kind with a method are messages.
 */
export function listedMessages(protocol: Protocol): ProtocolMessage[] {
  const names = new Set(protocol.definitions.map(({ name }) => name));
  const listed = (kind: string, { senders }: { senders: readonly Party[] }): boolean =>
    senders.length > 0 || !(names.has(`Client${kind}`) || names.has(`Server${kind}`));
  return [
    ...protocol.requests
      .filter((request) => listed('Request', request))
      .map((request) => ({ ...request, kind: 'request' as const })),
    ...protocol.notifications
      .filter((notification) => listed('Notification', notification))
      .map((notification) => ({ ...notification, kind: 'notification' as const })),
  ];
}

/** The unions that say who sends which message. */
export const MESSAGE_GROUPS: ReadonlySet<string> = new Set(
  ['Client', 'Server', 'Input'].flatMap((side) => [`${side}Request`, `${side}Notification`]),
);

function isUnion({ kind }: Node): boolean {
  return kind === 'union' || kind === 'exclusive';
}

function isNotification({ name }: Definition): boolean {
  return name.endsWith('Notification');
}

function byMethod(a: { method: string }, b: { method: string }): number {
  return a.method < b.method ? -1 : a.method > b.method ? 1 : 0;
}

function other(party: Party): Party {
  return party === 'client' ? 'server' : 'client';
}

function sendersOf(
  method: string,
  kind: 'Request' | 'Notification',
  context: MessageContext,
): Party[] {
  const listed = PARTIES.filter((party) =>
    methodsIn(party === 'client' ? `Client${kind}` : `Server${kind}`, context).has(method),
  );
  if (listed.length > 0) return listed;
  const { extension, exceptions: all } = context;
  const senders = (extension && all.extensions[extension.id]?.senders) ?? [];
  const exceptions = senders.filter((entry) => entry.method === method);
  exceptions.forEach(context.used);
  return exceptions.map(({ sender }) => sender);
}

/** The methods of a union such as `ClientRequest`. A union of one message may be that message itself. */
function methodsIn(group: string, { definitions }: MessageContext): Set<string> {
  const definition = definitions.get(group);
  if (!definition) return new Set();
  const members = groupMembers(definition.node, definitions);
  return new Set(members.flatMap((member) => methodsOf(resolve(member, definitions), definitions)));
}

/** The members of a group, also of unions that it refers to; a group of one may be the message itself. */
export function groupMembers(
  node: Node,
  definitions: Definitions,
  seen: ReadonlySet<string> = new Set(),
): Node[] {
  return alternativesOf(node).flatMap((member) => {
    const target = resolve(member, definitions);
    if (member.kind !== 'ref' || !isUnion(target)) return [member];
    if (seen.has(member.name)) return [];
    return groupMembers(target, definitions, new Set([...seen, member.name]));
  });
}

function propertyType(
  { node }: Definition,
  name: string,
  definitions: Definitions,
): PropertyType | undefined {
  // An envelope may declare it too, before or after the message's own part.
  const declared = propertiesOf(node, definitions).filter((each) => each.name === name);
  if (declared.length === 0) return undefined;
  const type = declared.map((each) => each.node).find((each) => each.kind === 'ref');
  return {
    required: declared.some(({ required }) => required),
    ...(type && { definition: type.name }),
  };
}

/** Whether the request's params have `task`, as for core tasks. */
function isAugmentable({ node }: Definition, definitions: Definitions): boolean {
  const params = findProperty(node, 'params', definitions);
  if (!params || !definitions.has('TaskMetadata')) return false;
  const target = resolve(params.node, definitions);
  return alternativesOf(target).some((branch) => {
    const task = findProperty(branch, 'task', definitions);
    return task !== undefined && [...typesOf(task.node, definitions)].join() === 'object';
  });
}

/**
 * The result of `CallToolRequest` is the one in `CallToolResultResponse` if the revision has it, else
 * `CallToolResult`, else `EmptyResult`. A request with `task` may also get `CreateTaskResult`.
 */
function resultsOf(request: Definition, augmentable: boolean, definitions: Definitions): string[] {
  const named = resultNames(resultResponseOf(request.name), definitions);
  const own = request.name.replace(/(?:Request)?$/, 'Result');
  const usual = [own, 'EmptyResult'].filter((name) => definitions.has(name)).slice(0, 1);
  const ordered = named.length > 0 ? [...named].sort((a, b) => +(b === own) - +(a === own)) : usual;
  return augmentable && definitions.has('CreateTaskResult')
    ? [...ordered, 'CreateTaskResult']
    : ordered;
}

/** `CallToolRequest` → `CallToolResultResponse`, the name of the definition of its answer. */
export function resultResponseOf(request: string): string {
  return request.replace(/(?:Request)?$/, 'ResultResponse');
}

function resultNames(response: string, definitions: Definitions): string[] {
  const definition = definitions.get(response);
  const result = definition && findProperty(definition.node, 'result', definitions);
  const members = result ? alternativesOf(result.node) : [];
  return members.flatMap((member) => (member.kind === 'ref' ? [member.name] : []));
}

/**
 * `tools/list` needs `tools`, `tasks/cancel` needs `tasks.cancel` because such a key exists,
 * `notifications/tools/list_changed` needs `tools.listChanged`; the rest is in the exceptions. Every message of an
 * extension needs the extension.
 */
function capabilitiesOf(
  method: string,
  parties: readonly Party[],
  context: MessageContext,
): Capability[] {
  const { extension, definitions } = context;
  if (extension) return [{ party: 'server', path: ['extensions', extension.id] }];
  const exceptions = context.exceptions.capabilities.filter(
    ({ method: of, needs: { party, path } }) =>
      of === method &&
      capabilityPath(CAPABILITIES[party], path, definitions).length === path.length,
  );
  exceptions.forEach(context.used);
  if (exceptions.length > 0) return exceptions.map(({ needs }) => needs);
  const segments = method
    .replace(/^notifications\//, '')
    .split('/')
    .map(camelCase);
  return parties.flatMap((party) => {
    const path = capabilityPath(CAPABILITIES[party], segments, definitions);
    return path.length > 0 ? [{ party, path }] : [];
  });
}

function capabilityPath(
  capabilities: string,
  segments: readonly string[],
  definitions: Definitions,
): string[] {
  const path: string[] = [];
  let node = definitions.get(capabilities)?.node;
  for (const segment of segments) {
    const property = node && findProperty(node, segment, definitions);
    if (!property) break;
    path.push(segment);
    node = property.node;
  }
  return path;
}

function camelCase(segment: string): string {
  return segment.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
