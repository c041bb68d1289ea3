import { listedMessages } from '../ir/index.js';
import { type Definitions, findProperty } from '../../json-schema/index.js';
import type {
  Capability,
  Party,
  Protocol,
  ProtocolMessage as Message,
  Request,
} from '../ir/index.js';
import { accepts } from './meaning.js';
import { otherParty } from './flow.js';
import type { MethodChange, MethodDiff, MethodSummary, ProtocolDiff, Role } from './model.js';
import { sayCapabilities, sayParties } from './say.js';

/** One side of the comparison. */
interface Side {
  readonly protocol: Protocol;
  readonly definitions: Definitions;
}

export function compareMethods(before: Side, after: Side): ProtocolDiff['methods'] {
  const [old, now] = [messagesIn(before.protocol), messagesIn(after.protocol)];
  return {
    added: [...now.values()]
      .filter(({ method }) => !old.has(method))
      .map((message) => summary(message, breaksByAddition(message, before.definitions))),
    removed: [...old.values()]
      .filter(({ method }) => !now.has(method))
      .map((message) => summary(message, breaksByRemoval(message))),
    changed: [...old.values()].flatMap((message): MethodDiff[] => {
      const next = now.get(message.method);
      const changes = next ? compareMessages(message, next, before, after) : [];
      if (!next || changes.length === 0) return [];
      const breaks = new Set(changes.flatMap((change) => change.breaks));
      return [{ ...summary(next, [...breaks].sort().reverse()), changes }];
    }),
  };
}

function messagesIn(protocol: Protocol): Map<string, Message> {
  return new Map(listedMessages(protocol).map((message) => [message.method, message]));
}

function summary({ method, kind, senders }: Message, breaks: readonly Role[]): MethodSummary {
  return { method, kind, senders, breaks };
}

/**
 * Receivers ignore unknown notifications. Senders do not send a request to a receiver without its
 * capability.
 */
function breaksByAddition(message: Message, before: Definitions): Role[] {
  if (message.kind === 'notification') return [];
  return message.capabilities.some((capability) => !exists(capability, before)) ? [] : ['receiver'];
}

function exists({ party, path }: Capability, definitions: Definitions): boolean {
  let node = definitions.get(
    party === 'client' ? 'ClientCapabilities' : 'ServerCapabilities',
  )?.node;
  for (const key of path) node = node && findProperty(node, key, definitions)?.node;
  return node !== undefined;
}

/** A removed request is refused. A removed notification is no longer sent. */
function breaksByRemoval({ kind }: Message): Role[] {
  return [kind === 'request' ? 'sender' : 'receiver'];
}

function compareMessages(before: Message, after: Message, old: Side, now: Side): MethodChange[] {
  const sentBy = [...new Set([...before.senders, ...after.senders])];
  const [needed, needs] = capabilitiesOfBoth(before, after);
  const fields: Omit<MethodChange, 'sentBy'>[] = [
    // The definition of the message shows the changes of its params.
    { field: 'params', before: sayParams(before), after: sayParams(after), breaks: [] },
    {
      field: 'result',
      before: sayResults(before),
      after: sayResults(after),
      breaks: breaksByResults(before, after, old, now),
    },
    {
      field: 'capability',
      before: sayCapabilities(needed),
      after: sayCapabilities(needs),
      breaks: breaksByCapabilities(needed, needs, after.senders),
    },
    {
      field: 'carrier',
      before: sayCarrier(before),
      after: sayCarrier(after),
      breaks: ['sender', 'receiver'],
    },
  ];
  const changed = fields.filter((field) => field.before !== field.after);
  return [...compareSenders(before, after), ...changed.map((field) => ({ ...field, sentBy }))];
}

/** When a party may no longer send a method, or newly may, that counts as a removed or an added method. */
function compareSenders(before: Message, after: Message): MethodChange[] {
  const says = { before: sayParties(before.senders), after: sayParties(after.senders) };
  const change = (sentBy: readonly Party[], breaks: readonly Role[]): MethodChange[] =>
    sentBy.length === 0 ? [] : [{ field: 'senders', ...says, sentBy, breaks }];
  return [
    ...change(missing(before.senders, after.senders), breaksByRemoval(before)),
    ...change(
      missing(after.senders, before.senders),
      after.kind === 'request' && after.capabilities.length === 0 ? ['receiver'] : [],
    ),
  ];
}

/** Without those that come or go with a sender: the change of the senders says that. */
function capabilitiesOfBoth(
  before: Message,
  after: Message,
): [readonly Capability[], readonly Capability[]] {
  const moved = [
    ...missing(before.senders, after.senders),
    ...missing(after.senders, before.senders),
  ];
  const stays = ({ kind }: Message, { party }: Capability): boolean =>
    !moved.includes(kind === 'request' ? otherParty(party) : party);
  return [
    before.capabilities.filter((each) => stays(before, each)),
    after.capabilities.filter((each) => stays(after, each)),
  ];
}

function missing(from: readonly Party[], other: readonly Party[]): Party[] {
  return from.filter((party) => !other.includes(party));
}

function when(role: Role, condition: boolean): Role[] {
  return condition ? [role] : [];
}

function sayParams({ params }: Message): string {
  if (!params) return 'none';
  return `${params.definition ?? 'an object'}${params.required ? '' : ', optional'}`;
}

function sayResults(message: Message): string {
  return message.kind === 'request' ? message.results.join(' | ') || 'none' : 'none';
}

function sayCarrier(message: Message): string {
  return message.kind === 'request' && message.carrier === 'input'
    ? 'in the result of another request'
    : 'a message of its own';
}

/**
 * The sender of a request receives its result: old senders may get a new one, or miss an old one. A task
 * is only sent to senders that requested one.
 */
function breaksByResults(before: Message, after: Message, old: Side, now: Side): Role[] {
  if (before.kind !== 'request' || after.kind !== 'request') return ['sender', 'receiver'];
  const unasked = ({ results, augmentable }: Request): readonly string[] =>
    augmentable ? results.filter((name) => name !== 'CreateTaskResult') : results;
  const covered = (outer: Request, inner: Request, wide: Side, narrow: Side): boolean =>
    unasked(inner).every((result) =>
      unasked(outer).some((name) =>
        accepts(
          { node: { kind: 'ref', name }, definitions: wide.definitions },
          { node: { kind: 'ref', name: result }, definitions: narrow.definitions },
        ),
      ),
    );
  return [
    ...when('sender', !covered(before, after, old, now)),
    ...when('receiver', !covered(after, before, now, old)),
  ];
}

/** Breaks the side that has to declare more, and the side that gets requests without having declared. */
function breaksByCapabilities(
  before: readonly Capability[],
  after: readonly Capability[],
  senders: readonly Party[],
): Role[] {
  const keys = (capabilities: readonly Capability[]): string[] =>
    capabilities.map(({ party, path }) => JSON.stringify([party, ...path]));
  const [had, has] = [keys(before), keys(after)];
  const added = after.filter((_, index) => !had.includes(has[index] ?? ''));
  const dropped = before.filter((_, index) => !has.includes(had[index] ?? ''));
  const declares = (role: Role, all: readonly Capability[]): boolean =>
    all.some(({ party }) => senders.includes(role === 'sender' ? party : otherParty(party)));
  return [
    ...when('sender', declares('sender', added)),
    ...when('receiver', declares('receiver', added) || declares('receiver', dropped)),
  ];
}
