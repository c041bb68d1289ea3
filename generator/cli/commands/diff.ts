import {
  countDefinitions,
  countMethods,
  diffAsMarkdown,
  diffAsText,
  differs,
  diffProtocols,
  significant,
} from '../../diff/index.js';
import { REVISIONS } from '../../load/index.js';
import { readProtocol } from '../../protocol.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';

export const diffCommand = defineCommand({
  examples: [
    ['diff 2025-11-25 2026-07-28', 'between two revisions'],
    ['diff 2025-11-25 ./schema.json', 'between a revision and a file or URL'],
    ['diff 2025-11-25 2026-07-28 --markdown', 'for a changelog'],
    ['diff 2025-11-25 ./schema.json --exit-code', 'for scripts; exit code 3 when they differ'],
  ],
  values: { before: REVISIONS, after: REVISIONS },
  positionals: {
    before: { type: 'string', demandOption: true, describe: 'Revision, file or URL' },
    after: { type: 'string', demandOption: true, describe: 'Revision, file or URL' },
  },
  options: {
    markdown: { type: 'boolean', describe: 'Markdown on stdout', conflicts: 'json' },
    all: { type: 'boolean', describe: 'Also list changes that only concern the notation' },
    'exit-code': { type: 'boolean', describe: 'End with 3 when more than the notation differs' },
    ...JSON_OPTION,
  },
  run: async (args) => {
    const before = await readProtocol(args.before);
    const after = await readProtocol(args.after);
    const diff = diffProtocols(before.protocol, after.protocol);
    const { diff: important, restated } = significant(diff);
    const shown = args.all ? diff : important;
    const hidden =
      args.all || restated === 0
        ? ''
        : `\n${String(restated)} more definitions differ in notation only; --all lists them.\n`;
    const diagnostics = [...before.diagnostics, ...after.diagnostics];
    const broken = diagnostics.some(({ severity }) => severity === 'error');
    return {
      exitCode: broken || (args.exitCode && differs(important)) ? EXIT.invalid : EXIT.done,
      diagnostics,
      data: {
        summary: { methods: countMethods(diff), definitions: countDefinitions(diff) },
        ...diff,
      },
      text: (paint) => (args.markdown ? diffAsMarkdown(shown) : diffAsText(shown, paint)) + hidden,
    };
  },
});
