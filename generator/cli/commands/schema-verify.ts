import { createHash } from 'node:crypto';
import { printable } from '../../diagnostics/index.js';
import type { Paint } from '../../diagnostics/index.js';
import {
  canonicalForm,
  DEFAULT_LIMITS,
  identify,
  parseSource,
  readRevision,
  readSource,
  REVISIONS,
  structuralDifferences,
  structuralFingerprint,
  upstreamSources,
} from '../../load/index.js';
import type { Source, StructuralDifference } from '../../load/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';

export const verifyCommand = defineCommand({
  examples: [
    ['schema verify schema.json', 'which revision is this?'],
    ['schema verify schema.json --revision 2025-11-25', 'the differences to one revision'],
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
  run: async (args) => {
    const source = await readSource(args.file, DEFAULT_LIMITS);
    const document = parseSource(source);
    const same = identify(document);
    const revision = args.revision ?? same ?? closest(document);
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

/** The revision that shares the most definitions with a document. */
function closest(document: unknown): string {
  const own = new Set(definitionForms(document));
  const scores = REVISIONS.map((revision) => ({
    revision,
    common: definitionForms(parseSource(readRevision(revision))).filter((it) => own.has(it)).length,
  }));
  return scores.reduce((best, each) => (each.common > best.common ? each : best)).revision;
}

function definitionForms(document: unknown): string[] {
  const { $defs, definitions } = document as { $defs?: object; definitions?: object };
  return Object.entries($defs ?? definitions ?? {}).map(
    ([name, schema]) => `${name} ${canonicalForm(schema)}`,
  );
}

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
