import {
  countDefinitions,
  countMethods,
  diffAsMarkdown,
  diffAsText,
  diffProtocols,
} from '../../diff/index.js';
import { readProtocol } from '../../protocol.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';

export const diffCommand = defineCommand({
  examples: [
    ['diff 2025-11-25 2026-07-28', 'between two revisions'],
    ['diff 2025-11-25 ./schema.json', 'between a revision and a file or URL'],
    ['diff 2025-11-25 2026-07-28 --markdown', 'for a changelog'],
  ],
  positionals: {
    before: { type: 'string', demandOption: true, describe: 'Revision, file or URL' },
    after: { type: 'string', demandOption: true, describe: 'Revision, file or URL' },
  },
  options: {
    markdown: { type: 'boolean', describe: 'Markdown on stdout', conflicts: 'json' },
    ...JSON_OPTION,
  },
  run: async (args) => {
    const before = await readProtocol(args.before);
    const after = await readProtocol(args.after);
    const diff = diffProtocols(before.protocol, after.protocol);
    const diagnostics = [...before.diagnostics, ...after.diagnostics];
    const broken = diagnostics.some(({ severity }) => severity === 'error');
    return {
      exitCode: broken ? EXIT.invalid : EXIT.done,
      diagnostics,
      data: {
        summary: { methods: countMethods(diff), definitions: countDefinitions(diff) },
        ...diff,
      },
      text: (paint) => (args.markdown ? diffAsMarkdown(diff) : diffAsText(diff, paint)),
    };
  },
});
