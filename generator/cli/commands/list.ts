import { sayCapabilities } from '../../diff/index.js';
import type { Notification, Party, Protocol, Request } from '../../ir/index.js';
import { REVISIONS } from '../../load/index.js';
import { readProtocol } from '../../protocol.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import type { Report } from '../command.js';
import { EXIT } from '../exit.js';
import { table } from '../table.js';

export const listCommand = defineCommand({
  examples: [
    ['list', 'the bundled revisions'],
    ['list 2025-11-25', 'the methods of one'],
    ['list ./schema.json --json', 'the methods of any schema, for a script'],
  ],
  positionals: { revision: { type: 'string', describe: 'Revision, file or URL' } },
  options: JSON_OPTION,
  run: async ({ revision }) =>
    revision === undefined ? await listRevisions() : await listMethods(revision),
});

async function listRevisions(): Promise<Report> {
  const read = await Promise.all(REVISIONS.map((revision) => readProtocol(revision)));
  const revisions = read.map(({ protocol }) => ({
    name: protocol.name,
    definitions: protocol.definitions.length,
    requests: protocol.requests.length,
    notifications: protocol.notifications.length,
    ...(protocol.extension && { extends: protocol.extension.extends }),
  }));
  return {
    exitCode: EXIT.done,
    data: { revisions },
    text: (paint) =>
      table(
        ['revision', 'definitions', 'requests', 'notifications', 'extends'],
        revisions.map((each) => [
          each.name,
          String(each.definitions),
          String(each.requests),
          String(each.notifications),
          each.extends ?? '',
        ]),
        paint,
      ),
  };
}

async function listMethods(subject: string): Promise<Report> {
  const { protocol, diagnostics } = await readProtocol(subject);
  const broken = diagnostics.some(({ severity }) => severity === 'error');
  const methods = methodsOf(protocol);
  return {
    exitCode: broken ? EXIT.invalid : EXIT.done,
    diagnostics,
    data: { name: protocol.name, methods },
    text: (paint) =>
      table(
        ['method', 'direction', 'params', 'result', 'capability'],
        methods.map((each) => [
          each.method,
          each.direction,
          each.params ?? '-',
          each.results.join(' | ') || '-',
          sayCapabilities(each.capabilities).replace('none', '-'),
        ]),
        paint,
      ),
  };
}

function methodsOf({ requests, notifications }: Protocol) {
  return [
    ...requests.map((each) => ({
      kind: 'request' as const,
      ...common(each),
      results: each.results,
      carrier: each.carrier,
    })),
    ...notifications.map((each) => ({
      kind: 'notification' as const,
      ...common(each),
      results: [],
    })),
  ];
}

function common({ method, definition, senders, params, capabilities }: Request | Notification) {
  return {
    method,
    definition,
    direction: sayDirection(senders),
    params: params && (params.definition ?? 'an object'),
    capabilities,
  };
}

function sayDirection(senders: readonly Party[]): string {
  if (senders.length > 1) return 'client ↔ server';
  if (senders.length === 0) return 'unknown';
  return senders[0] === 'client' ? 'client → server' : 'server → client';
}
