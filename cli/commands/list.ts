import { resolve } from 'node:path';
import { quote } from '../../json-schema/text.js';
import { sayCapabilities } from '../../generator/diff/index.js';
import type { Notification, Party, Protocol, Request } from '../../generator/ir/index.js';
import { DEFAULT_LIMITS, isFolder, readRefs, REVISIONS } from '../../generator/read/load/index.js';
import type { LoadOptions } from '../../generator/read/load/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import { diskFolder, readManifest } from '../../generator/write/index.js';
import type { Recipe } from '../../generator/write/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import type { Report } from '../command.js';
import { EXIT, UsageError } from '../exit.js';
import { parseRefs, REF_OPTION } from '../refs.js';
import { table } from '../../generator/diagnostics/table.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

export const listCommand = defineCommand({
  examples: [
    ['list', 'the bundled revisions'],
    [`list ${DIALECT_REVISIONS.core}`, 'the methods of one'],
    ['list ./schema.json --json', 'the methods of any schema, for a script'],
    ['list src/mcp', 'what was generated into a folder'],
  ],
  values: { revision: REVISIONS },
  positionals: { revision: { type: 'string', describe: 'Revision, file, URL or output folder' } },
  options: { ...REF_OPTION, ...JSON_OPTION },
  run: async ({ revision, ref }, { cwd }) => {
    if (revision === undefined) return await listRevisions();
    return isFolder(resolve(cwd, revision))
      ? listGenerated(resolve(cwd, revision), revision)
      : await listMethods(revision, { refs: readRefs(parseRefs(ref), DEFAULT_LIMITS, cwd), cwd });
  },
});

/** @throws {UsageError} for a folder that was not generated into. */
function listGenerated(folder: string, shown: string): Report {
  const entries = readManifest(diskFolder(folder))?.protocols;
  if (entries === undefined || entries.size === 0) {
    throw new UsageError(
      `Nothing was generated into the folder ${quote(shown)}.`,
      'Give the output folder of generate.',
    );
  }
  const generated = [...entries].flatMap(([name, { recipe, config, files }]) =>
    recipe === undefined
      ? []
      : [{ name, ...recipe, ...(config !== undefined && { config }), files: [...files.keys()] }],
  );
  return {
    exitCode: EXIT.done,
    data: { folder: shown, generated },
    text: (paint) =>
      table(
        ['name', 'generated from', 'files', 'corrected', 'configuration'],
        generated.map(({ name, from, emit, errata, config }) => [
          name,
          sourceOf(from),
          emit.join(','),
          errata ? 'yes' : 'no',
          config ?? '',
        ]),
        paint,
      ),
  };
}

function sourceOf(from: Recipe['from']): string {
  if ('revision' in from) return 'the bundled revision';
  return 'tools' in from ? from.tools : from.schema;
}

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

async function listMethods(subject: string, options: LoadOptions): Promise<Report> {
  const { protocol, diagnostics } = await readProtocol(subject, options);
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
