import type { Diagnostic } from '../../generator/diagnostics/index.js';
import {
  countDefinitions,
  countMethods,
  countSides,
  diffAsMarkdown,
  diffAsText,
  differs,
  significant,
  withSides,
} from '../../generator/diff/index.js';
import { DEFAULT_LIMITS, readRefs, REVISIONS } from '../../generator/read/load/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { differencesOf } from '../differences.js';
import { EXIT } from '../exit.js';
import { parseRefs, REF_OPTION } from '../refs.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

export const diffCommand = defineCommand({
  examples: [
    [`diff ${DIALECT_REVISIONS.core} ${DIALECT_REVISIONS.ext}`, 'between two revisions'],
    [`diff ${DIALECT_REVISIONS.core} ./schema.json`, 'between a revision and a file or URL'],
    [`diff ${DIALECT_REVISIONS.core} ${DIALECT_REVISIONS.ext} --markdown`, 'for a changelog'],
    [
      `diff ${DIALECT_REVISIONS.core} ./schema.json --exit-code`,
      'for scripts; exit code 3 when they differ',
    ],
  ],
  values: { before: REVISIONS, after: REVISIONS },
  positionals: {
    before: { type: 'string', demandOption: true, describe: 'Revision, file or URL' },
    after: { type: 'string', demandOption: true, describe: 'Revision, file or URL' },
  },
  options: {
    markdown: { type: 'boolean', describe: 'Markdown on stdout', conflicts: 'json' },
    all: { type: 'boolean', describe: 'Also list changes that only concern the notation' },
    ...REF_OPTION,
    'exit-code': { type: 'boolean', describe: 'End with 3 when more than the notation differs' },
    ...JSON_OPTION,
  },
  run: async (args, { cwd }) => {
    const refs = readRefs(parseRefs(args.ref), DEFAULT_LIMITS, cwd);
    const before = await readProtocol(args.before, { refs, cwd });
    const after = await readProtocol(args.after, { refs, cwd });
    const diff = differencesOf(
      { ...before, subject: args.before },
      { ...after, subject: args.after },
    );
    const { diff: important, restated } = significant(diff);
    const shown = args.all ? diff : important;
    const hidden =
      args.all || restated === 0
        ? ''
        : `\n${String(restated)} more definitions differ in notation only; --all lists them.\n`;
    const diagnostics = usedByNone(before.diagnostics, after.diagnostics);
    const broken = diagnostics.some(({ severity }) => severity === 'error');
    return {
      exitCode: broken || (args.exitCode && differs(important)) ? EXIT.invalid : EXIT.done,
      diagnostics,
      data: {
        summary: { methods: countMethods(diff), definitions: countDefinitions(diff) },
        breaking: countSides(important),
        ...withSides(diff),
      },
      text: (paint) => (args.markdown ? diffAsMarkdown(shown) : diffAsText(shown, paint)) + hidden,
    };
  },
});

/** All diagnostics, but a document that one side refers to is used. */
function usedByNone(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
): readonly Diagnostic[] {
  const unused = ({ code }: Diagnostic): boolean => code === 'unused-ref';
  const others = [...before, ...after].filter((each) => !unused(each));
  const names = new Set(before.filter(unused).map(({ source }) => source));
  return [...others, ...after.filter((each) => unused(each) && names.has(each.source))];
}
