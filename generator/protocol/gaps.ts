import { alternativesOf, type Definition, findProperty, quote } from '../../json-schema/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import { groupMembers, MESSAGE_GROUPS, resultResponseOf } from '../ir/index.js';
import type { Protocol } from '../ir/index.js';

type Definitions = ReadonlyMap<string, Definition>;

/**
 * What a protocol of the future may lack so that its messages can be dispatched. An error means that the tables
 * miss a message. Schemas without definitions named `…Request` or `…Notification` have no messages.
 */
export function gapsOf(protocol: Protocol): Diagnostic[] {
  const definitions: Definitions = new Map(protocol.definitions.map((each) => [each.name, each]));
  return [
    ...withoutMethod(protocol, definitions),
    ...withoutSender(protocol, definitions),
    ...withoutResult(protocol, definitions),
    ...withoutEnvelope(protocol),
  ];
}

/** A warning about a protocol that is called like its file. Schemas without messages are no protocols. */
export function nameGapOf(protocol: Protocol): Diagnostic[] {
  if (protocol.extension !== undefined || namedMessages(protocol).length === 0) return [];
  return [
    {
      code: 'unnamed-protocol',
      severity: 'warning',
      message: `Nothing says what the protocol is called, so its version is the name of its file: ${quote(protocol.name)}.`,
      help: 'Give it a name with --name, or as "name" in mcp-codegen.json.',
    },
  ];
}

function withoutMethod(protocol: Protocol, definitions: Definitions): Diagnostic[] {
  const known = new Set(
    [...protocol.requests, ...protocol.notifications].map(({ definition }) => definition),
  );
  const own = (name: string): boolean => protocol.extension === undefined || known.has(name);
  return [...MESSAGE_GROUPS].flatMap((group) => {
    const definition = definitions.get(group);
    const members = definition ? groupMembers(definition.node, definitions) : [];
    return members.flatMap((member): Diagnostic[] => {
      if (member.kind === 'object' && member === definition?.node) return [];
      if (member.kind === 'ref' && (known.has(member.name) || !own(member.name))) return [];
      const name = member.kind === 'ref' ? member.name : group;
      return [
        {
          code: 'unknown-method',
          severity: 'error',
          message:
            member.kind === 'ref'
              ? `${quote(name)} of ${group} has no "method" with fixed values, so no table contains it.`
              : `A message of ${group} is not a reference, so no table contains it.`,
          ...placeOf(name, definitions),
          help:
            member.kind === 'ref'
              ? 'Give its "method" a "const" or an "enum" of texts, in an object.'
              : 'Define each message under "$defs", and refer to it.',
        },
      ];
    });
  });
}

function withoutSender(protocol: Protocol, definitions: Definitions): Diagnostic[] {
  return namedMessages(protocol)
    .filter(({ senders }) => senders.length === 0)
    .map(({ method, definition }) => {
      const kind = definition.endsWith('Request') ? 'Request' : 'Notification';
      return {
        code: 'unknown-sender',
        severity: 'warning',
        message: `The schema does not say which side sends ${quote(method)}.`,
        ...placeOf(definition, definitions),
        help: `List ${definition} in the union Client${kind} or Server${kind}.`,
      };
    });
}

function withoutResult({ requests }: Protocol, definitions: Definitions): Diagnostic[] {
  return requests.flatMap(({ method, definition, results }): Diagnostic[] => {
    if (!definition.endsWith('Request')) return [];
    const response = resultResponseOf(definition);
    const answer = definitions.get(response);
    const result = answer && findProperty(answer.node, 'result', definitions);
    const nameless = result
      ? alternativesOf(result.node).some(({ kind }) => kind !== 'ref')
      : false;
    if (results.length > 0 && !nameless) return [];
    const expected = definition.replace(/Request$/, 'Result');
    return [
      {
        code: 'unknown-result',
        severity: 'warning',
        message: nameless
          ? `A result of ${quote(method)} has no definition of its own, so the tables leave it out.`
          : `The schema has no result for ${quote(method)}.`,
        ...placeOf(nameless ? response : definition, definitions),
        help: nameless
          ? 'Define each result under "$defs", and refer to it.'
          : `Define ${expected}, or ${response} with a "result".`,
      },
    ];
  });
}

/** The definitions of which `validateMessage` and `decode` are made; some have two names. */
const ENVELOPES = [
  ['JSONRPCRequest'],
  ['JSONRPCNotification'],
  ['JSONRPCResultResponse', 'JSONRPCResponse'],
  ['JSONRPCErrorResponse', 'JSONRPCError'],
] as const;

function withoutEnvelope(protocol: Protocol): Diagnostic[] {
  if (protocol.extension !== undefined || namedMessages(protocol).length === 0) return [];
  const names = new Set(protocol.definitions.map(({ name }) => name));
  const missing = ENVELOPES.filter((each) => !each.some((name) => names.has(name)));
  if (missing.length === 0) return [];
  return [
    {
      code: 'missing-envelope',
      severity: 'warning',
      message: `${missing.map(([name]) => name).join(', ')} missing: no function checks whole messages.`,
      help: 'Define them, or check messages by their definitions.',
    },
  ];
}

type Message = Pick<Protocol['notifications'][number], 'method' | 'definition' | 'senders'>;

function namedMessages({ requests, notifications }: Protocol): Message[] {
  return [...requests, ...notifications].filter(({ definition }) =>
    /(?:Request|Notification)$/.test(definition),
  );
}

function placeOf(name: string, definitions: Definitions): Pick<Diagnostic, 'pointer'> {
  const pointer = definitions.get(name)?.pointer;
  return pointer === undefined ? {} : { pointer };
}
