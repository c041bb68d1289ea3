import { quote } from '../../json-schema/text.js';
import { DIALECT_REVISIONS } from '../../generator/ir/revisions/index.js';
import { reportPage } from '../../pages/index.js';
import { noticesOf, Recorder } from '../../pages/findings/index.js';
import { Library, validateInput } from '../../contracts/validate/index.js';
import { readAssets } from '../assets.js';
import { defineCommand, JSON_OPTION } from '../command.js';
import { UsageError } from '../exit.js';
import { assertReadable, readChunks } from '../input.js';
import type { Io } from '../io.js';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { assertReportPath, writeReport } from '../report-file.js';
import { reportOn, ValidationPrinter } from '../validation.js';
import type { Validated } from '../validation.js';

const STDIN = '-';
const MAX_ERRORS = '100';

export const validateCommand = defineCommand({
  examples: [
    ['validate trace.jsonl', 'JSON, an array, JSON Lines or a transcript'],
    ['validate - --from client < sent.jsonl', 'what one side sent'],
    [`validate call.json --revision ${DIALECT_REVISIONS.core}`, 'a single message'],
    ['validate trace.jsonl --json', 'for scripts; exit code 3 when a message is invalid'],
    ['validate trace.jsonl --report report.html', 'a page that draws the conversation'],
  ],
  positionals: {
    files: { type: 'string', array: true, describe: 'Files (default: -, the standard input)' },
  },
  verbatim: 'files',
  options: {
    revision: {
      choices: Object.keys(PROTOCOLS.revisions),
      requiresArg: true,
      describe: 'The revision of all messages (default: the one that messages contain)',
    },
    extension: {
      choices: PROTOCOLS.extensions.map(({ name }) => name),
      requiresArg: true,
      describe: 'An active extension (default: those that messages declare)',
    },
    from: {
      choices: ['client', 'server'] as const,
      requiresArg: true,
      describe: 'The sender of messages without a tag',
    },
    'max-errors': {
      type: 'string',
      requiresArg: true,
      describe: `The number of findings to print (default: ${MAX_ERRORS})`,
    },
    report: {
      type: 'string',
      requiresArg: true,
      describe: 'Also write a page of the conversation with its findings to this file',
    },
    'show-secrets': {
      type: 'boolean',
      describe: 'Do not mask tokens, passwords and form answers in the report',
      implies: 'report',
    },
    quiet: {
      type: 'boolean',
      describe: 'Print nothing, set the exit code only',
      conflicts: 'json',
    },
    ...JSON_OPTION,
  },
  emits: 'findings',
  run: async (args, io, emit) => {
    const { revision, from, quiet = false } = args;
    const files = filesOf(args.files, io);
    const report = args.report;
    if (report !== undefined) {
      assertReportPath(
        report,
        files.filter((path) => path !== STDIN),
        io.cwd,
      );
    }
    const recorder =
      report === undefined ? undefined : new Recorder({ showSecrets: args.showSecrets ?? false });
    const extensions = extensionsOf(args.extension, revision);
    const limit = limitOf(args.maxErrors ?? MAX_ERRORS);
    const printer = new ValidationPrinter(io, emit, { limit, quiet });
    const library = new Library(PROTOCOLS);
    const validated: Validated[] = [];
    for (const path of files) {
      const file = path === STDIN ? 'stdin' : path;
      const chunks = path === STDIN ? io.input().chunks : readChunks(path, io.cwd);
      recorder?.begin(file);
      const tally = await validateInput(file, chunks, {
        library,
        revision,
        extensions,
        from,
        onFinding: (finding) => {
          printer.finding(finding);
          recorder?.finding(finding);
        },
        onMessage: recorder && ((checked) => recorder.message(checked)),
        onProgress: (bytes, soFar) => printer.progress(file, bytes, soFar),
      });
      recorder?.finish(tally);
      validated.push({ file, tally });
      printer.end({ file, tally });
    }
    if (report !== undefined && recorder) {
      const page = reportPage(recorder, readAssets('report'));
      writeReport(report, page, io.cwd);
      printer.report(report, noticesOf(recorder));
    }
    return reportOn(validated, printer.omitted, quiet);
  },
});

/** @throws {DiagnosticError} `not-found` */
function filesOf(written: readonly string[] = [], io: Io): string[] {
  if (written.length === 0 && io.input().isTerminal) {
    throw new UsageError('No file is given.', 'Name files, or pipe messages to standard input.');
  }
  const files = written.length === 0 ? [STDIN] : [...new Set(written)];
  assertReadable(
    files.filter((path) => path !== STDIN),
    io.cwd,
  );
  return files;
}

/** The id of the extension in `--extension`. */
function extensionsOf(name: string | undefined, revision: string | undefined): string[] {
  const extension = PROTOCOLS.extensions.find((each) => each.name === name);
  if (!extension) return [];
  const bases = extension.extends;
  if (revision !== undefined && !bases.includes(revision)) {
    throw new UsageError(
      `The extension ${extension.name} belongs to ${bases.join(', ')}, not to ${revision}.`,
      `Use --revision ${bases.join(' or ')}, or remove --extension.`,
    );
  }
  return [extension.id];
}

function limitOf(written: string): number {
  if (/^\d{1,15}$/.test(written)) return Number(written);
  throw new UsageError(
    `--max-errors is ${quote(written)}, not a whole number.`,
    `Give a number from 0, for example --max-errors ${MAX_ERRORS}.`,
  );
}
