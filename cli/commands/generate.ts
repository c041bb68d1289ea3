import { EMITS } from '../../generator/emit/index.js';
import { generate } from '../../generator/plan/generate.js';
import type { GeneratedProtocol } from '../../generator/plan/generate.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { planAndApply, reportPlan } from '../plan.js';
import { assertTrusted, TRUST_OPTIONS } from '../project-trust.js';
import { select, SELECTION_OPTIONS, SELECTION_POSITIONALS } from '../selection.js';
import { readSelectedTools } from '../tools-selection.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';

export const generateCommand = defineCommand({
  examples: [
    ['generate', 'as in mcp-codegen.json, or all revisions'],
    [`generate ${DIALECT_REVISIONS.core} --out src/mcp`, 'one revision'],
    ['generate --schema ./schema.json --name mine', 'a schema of your own'],
    ['generate --watch', 'again after each change of the configuration or a schema'],
    ['generate --dry-run', 'show what would be written'],
  ],
  values: { emit: EMITS },
  positionals: SELECTION_POSITIONALS,
  options: {
    ...SELECTION_OPTIONS,
    'dry-run': { type: 'boolean', describe: 'Show the change of each file, and write nothing' },
    force: { type: 'boolean', describe: 'Overwrite edited files' },
    watch: {
      type: 'boolean',
      describe: 'Generate again after each change of the configuration or a schema',
      conflicts: 'json',
    },
    ...TRUST_OPTIONS,
    'no-input': { type: 'boolean', describe: 'Never prompt' },
    ...JSON_OPTION,
  },
  run: async (args, io, _, watched) => {
    const { out, shownOut, tools, inputs, project, ...selection } = select(args, io.cwd, watched);
    await assertTrusted(project, ['inputs', 'tools'], args, io);
    const dryRun = args.dryRun ?? false;
    const request = {
      ...selection,
      cwd: io.cwd,
      inputs: [...inputs, ...(await readSelectedTools(tools, { ...io, out, asks: true }))],
      force: args.force ?? false,
      onProtocol: ({ name, unchanged, files }: GeneratedProtocol) => {
        const count = files.length === 1 ? 'one file' : `${String(files.length)} files`;
        if (!unchanged) io.err.write(`${name}: generated ${count}\n`);
      },
    };
    const made = await planAndApply(out, dryRun, (folder) => generate({ ...request, folder }));
    const { plan, protocols, diagnostics } = made;
    const report = reportPlan({ plan, diagnostics, out: shownOut, dryRun, data: { protocols } });
    return { ...report, runsAgain: args.watch ?? false };
  },
});
