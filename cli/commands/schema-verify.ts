import { createHash } from 'node:crypto';
import { printable } from '../../json-schema/text.js';
import type { Paint } from '../../generator/diagnostics/index.js';
import {
  closestRevision,
  DEFAULT_LIMITS,
  identify,
  parseSource,
  readRevision,
  readSource,
  REVISIONS,
  structuralDifferences,
  structuralFingerprint,
  upstreamSources,
} from '../../generator/read/load/index.js';
import type { Source, StructuralDifference } from '../../generator/read/load/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

export const verifyCommand = defineCommand({
  examples: [
    ['schema verify schema.json', 'which revision is this?'],
    [
      `schema verify schema.json --revision ${DIALECT_REVISIONS.core}`,
      'the differences to one revision',
    ],
  ],
  positionals: { file: { type: 'string', demandOption: true, describe: 'File or URL' } },
  options: {
    revision: {
      choices: REVISIONS,
      requiresArg: true,
      describe: 'The revision to compare with (default: the closest one)',
    },
    ...JSON_OPTION,
  },
  run: async (args, { cwd }) => {
    const source = await readSource(args.file, DEFAULT_LIMITS, cwd);
    const document = parseSource(source);
    const same = identify(document);
    const revision = args.revision ?? same ?? closestRevision(document);
    const differences = structuralDifferences(parseSource(readRevision(revision)), document);
    return {
      exitCode: differences.length === 0 ? EXIT.done : EXIT.invalid,
      data: {
        source: source.label,
        revision,
        same: differences.length === 0,
        upstreamFile: isUpstream(source, revision),
        fingerprint: structuralFingerprint(document),
        differences,
      },
      text: (paint) => verdict(source, revision, differences, paint),
    };
  },
});

function isUpstream({ text }: Source, revision: string): boolean {
  const hash = createHash('sha256').update(text).digest('hex');
  return upstreamSources()[revision]?.sha256 === hash;
}

function verdict(
  source: Source,
  revision: string,
  differences: readonly StructuralDifference[],
  paint: Paint,
): string {
  const label = printable(source.label);
  if (differences.length === 0) {
    const file = isUpstream(source, revision) ? ' It is the official file, byte for byte.' : '';
    return `${paint.green('same')}  ${label} has the structure of ${revision}.${file}\n`;
  }
  const count = differences.length === 1 ? 'one place' : `${String(differences.length)} places`;
  return [
    `${paint.red('differs')}  ${label} is not ${revision}: it differs in ${count}.\n`,
    ...differences.map(({ pointer, kind, expected, found }) =>
      [
        `  ${printable(`#${pointer}`)}  ${paint.yellow(kind)}\n`,
        expected === undefined ? '' : `    ${revision}: ${shorten(expected)}\n`,
        found === undefined ? '' : `    found: ${shorten(found)}\n`,
      ].join(''),
    ),
  ].join('');
}

function shorten(json: string): string {
  return printable(json.length > 120 ? `${json.slice(0, 120)}…` : json);
}
