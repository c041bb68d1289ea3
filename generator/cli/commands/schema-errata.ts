import { jsonPointer } from '../../diagnostics/index.js';
import { ERRATA } from '../../errata/index.js';
import { REVISIONS } from '../../load/index.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';

export const errataCommand = defineCommand({
  examples: [
    ['schema errata', 'every correction, with its reason'],
    ['schema errata 2026-07-28', 'the corrections of one revision'],
    ['generate --no-errata', 'generate without corrections'],
  ],
  positionals: { revision: { choices: REVISIONS, describe: 'A bundled revision' } },
  options: JSON_OPTION,
  run: ({ revision }) => {
    const errata = ERRATA.filter(
      ({ revisions }) => revision === undefined || revisions.includes(revision),
    ).map(({ path, ...erratum }) => ({ ...erratum, pointer: jsonPointer(path) }));
    return {
      exitCode: EXIT.done,
      data: { errata },
      text: (paint) =>
        errata
          .map(({ id, revisions, pointer, was, becomes, reason }) =>
            [
              `${paint.bold(id)}  ${revisions.join(', ')}\n`,
              `  ${pointer}\n`,
              `  ${JSON.stringify(was)} → ${JSON.stringify(becomes)}\n`,
              `  ${reason}\n`,
            ].join(''),
          )
          .join('\n') || 'There are no corrections.\n',
    };
  },
});
