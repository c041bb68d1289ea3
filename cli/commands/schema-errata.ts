import type { Correction } from '../../generator/ir/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';
import type { ReadProtocol } from '../../generator/protocol/protocol.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { EXIT } from '../exit.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

export const errataCommand = defineCommand({
  examples: [
    ['schema errata', 'every correction, with its reason'],
    [`schema errata ${DIALECT_REVISIONS.ext}`, 'the corrections of one revision'],
    ['schema errata ./schema.json', 'those that apply to a draft, and those that no longer do'],
    ['generate --no-errata', 'generate without corrections'],
  ],
  values: { revision: REVISIONS },
  positionals: { revision: { type: 'string', describe: 'A revision, file or URL' } },
  options: JSON_OPTION,
  run: async ({ revision }) => {
    const subjects = new Set<string>([...REVISIONS, ...(revision === undefined ? [] : [revision])]);
    const read = await Promise.all([...subjects].map((each) => readProtocol(each)));
    const asked = revision === undefined ? undefined : read[[...subjects].indexOf(revision)];
    const errata = byPlace(read).filter(
      ({ revisions }) => !asked || revisions.includes(asked.protocol.name),
    );
    const unused = read.flatMap(({ diagnostics }) =>
      diagnostics.filter(({ code }) => code === 'unused-erratum'),
    );
    return {
      exitCode: EXIT.done,
      diagnostics: unused,
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

/** Each correction once for each place, with the protocols in which it is made there. */
function byPlace(read: readonly ReadProtocol[]): (Correction & { revisions: string[] })[] {
  const places = new Map<string, Correction & { revisions: string[] }>();
  for (const { protocol } of read) {
    for (const correction of protocol.errata ?? []) {
      const pointer = correction.pointer.replace(/^\/(?:\$defs|definitions)/, '');
      const known = places.get(`${correction.id} ${pointer}`);
      if (known) known.revisions.push(protocol.name);
      else {
        places.set(`${correction.id} ${pointer}`, {
          ...correction,
          pointer,
          revisions: [protocol.name],
        });
      }
    }
  }
  return [...places.values()].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}
