import { DiagnosticError, printable, renderDiagnostics } from '../diagnostics/index.js';
import type { Diagnostic } from '../diagnostics/index.js';
import type { Report } from './command.js';
import { exitCodeOf, EXIT, UsageError } from './exit.js';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';
import { parseCommandLine } from './parse.js';

/** Of the JSON documents on stdout: raised when a field goes or changes its meaning. */
const SCHEMA_VERSION = 1;

/** Runs a command line, from its arguments to its exit code. */
export async function main(argv: readonly string[], io: Io): Promise<ExitCode> {
  const json = ownWords(argv).includes('--json');
  try {
    const call = await parseCommandLine(argv, io.out.width);
    if (call.kind === 'print') {
      io.out.write(call.text);
      return EXIT.done;
    }
    const report = await call.command.run(call.args, io);
    print(call.name, report, json, io);
    return report.exitCode;
  } catch (error) {
    return fail(error, json, ownWords(argv).includes('--debug'), io);
  }
}

/** What follows `--` is another program's command line. */
export function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

function print(command: string, report: Report, json: boolean, io: Io): void {
  const { exitCode, data, text, diagnostics = [] } = report;
  if (json) {
    printDocument({ command, exitCode, ...data, diagnostics }, io);
    return;
  }
  io.out.write(text(io.out.paint));
  io.err.write(renderDiagnostics(diagnostics, io.err.paint));
}

function fail(error: unknown, json: boolean, debug: boolean, io: Io): ExitCode {
  const exitCode = exitCodeOf(error);
  const diagnostics = error instanceof DiagnosticError ? error.diagnostics : [];
  const message = error instanceof Error ? error.message : String(error);
  const help = error instanceof UsageError ? error.help : undefined;
  if (json) printDocument({ exitCode, error: { message, ...(help && { help }) }, diagnostics }, io);
  else io.err.write(renderFailure(message, help, diagnostics, io));
  if (debug && error instanceof Error) io.err.write(`${error.stack ?? ''}\n`);
  return exitCode;
}

function renderFailure(
  message: string,
  help: string | undefined,
  diagnostics: readonly Diagnostic[],
  { err: { paint } }: Io,
): string {
  if (diagnostics.length > 0) return renderDiagnostics(diagnostics, paint);
  const lines = message.split('\n').map((line) => `${paint.red('error:')} ${printable(line)}\n`);
  return lines.join('') + (help ? `  ${paint.cyan('help:')} ${printable(help)}\n` : '');
}

function printDocument(document: object, io: Io): void {
  io.out.write(`${JSON.stringify({ schemaVersion: SCHEMA_VERSION, ...document }, null, 2)}\n`);
}
