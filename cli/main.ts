import {
  DiagnosticError,
  printableLines,
  renderDiagnostics,
  systemFailure,
  type Diagnostic,
} from '../generator/diagnostics/index.js';
import { printable } from '../json-schema/text.js';
import type { Command, Emit, Report } from './command.js';
import { CommandFailure, exitCodeOf, EXIT, helpOf, type ExitCode } from './exit.js';
import type { Io, Stream } from './io.js';
import { parseCommandLine, type Call } from './parse.js';
import { hasFlag } from './values.js';
import { WatchedFiles } from './watch.js';

/** Runs a command line, from its arguments to its exit code. */
export async function main(argv: readonly string[], given: Io): Promise<number> {
  const json = hasFlag(argv, 'json') ? new JsonDocument(given.out) : undefined;
  const io: Io = {
    ...given,
    notice(diagnostic) {
      json?.notices.push(diagnostic);
      given.err.write(renderDiagnostics([diagnostic], given.err.paint));
    },
  };
  try {
    const call = await parseCommandLine(argv, io.out.width, io);
    if (call.kind === 'print') {
      io.out.write(call.text);
      return EXIT.done;
    }
    const watched = new WatchedFiles();
    const emit = emitter(call.command, json, io);
    const report = await call.command.run(call.args, io, emit, watched);
    print(call.name, report, json, io);
    if (report.runsAgain) await runAgain(call, watched, io);
    return report.exitCode;
  } catch (error) {
    return fail(error, json, hasFlag(argv, 'debug'), io);
  }
}

/** Runs a command after each change, until the process is interrupted. Errors are printed, and the watch goes on. */
async function runAgain(
  { command, args, name }: Extract<Call, { kind: 'run' }>,
  first: WatchedFiles,
  io: Io,
): Promise<void> {
  let watched = first;
  for (;;) {
    io.err.write('Watching for changes. Press Ctrl-C to stop.\n');
    await watched.changed();
    watched = new WatchedFiles();
    try {
      // `--trust` is the user's word for what the file of the project said at the start.
      const again = { ...args, trust: undefined };
      const report = await command.run(again, io, emitter(command, undefined, io), watched);
      print(name, report, undefined, io);
    } catch (error) {
      fail(error, undefined, false, io);
    }
  }
}

function emitter({ emits }: Command, json: JsonDocument | undefined, { out }: Io): Emit {
  if (json && emits !== undefined) json.list = emits;
  return ({ text, data }) => {
    if (json) json.add(data);
    else out.write(text(out.paint));
  };
}

function print(command: string, report: Report, json: JsonDocument | undefined, io: Io): void {
  const { exitCode, data, text, diagnostics = [] } = report;
  if (json) {
    json.end({ command, exitCode, ...data, diagnostics: [...json.notices, ...diagnostics] });
    return;
  }
  io.out.write(text(io.out.paint));
  io.err.write(renderDiagnostics(diagnostics, io.err.paint));
}

function fail(error: unknown, json: JsonDocument | undefined, debug: boolean, io: Io): ExitCode {
  const exitCode = exitCodeOf(error);
  const diagnostics = error instanceof DiagnosticError ? error.diagnostics : [];
  const message =
    systemFailure(error)?.message ?? (error instanceof Error ? error.message : String(error));
  const help = helpOf(error);
  const data = error instanceof CommandFailure ? error.data : {};
  if (json) {
    const shown = { message, ...(help && { help }), ...data };
    json.end({ exitCode, error: shown, diagnostics: [...json.notices, ...diagnostics] });
  } else {
    if (error instanceof CommandFailure) io.out.write(error.text);
    io.err.write(renderFailure(message, help, diagnostics, io));
  }
  if (debug && error instanceof Error) io.err.write(`${printableLines(error.stack ?? '')}\n`);
  return exitCode;
}

function renderFailure(
  message: string,
  help: string | undefined,
  diagnostics: readonly Diagnostic[],
  { err: { paint } }: Io,
): string {
  if (diagnostics.length > 0) return renderDiagnostics(diagnostics, paint);
  return (
    `${paint.red('error:')} ${printableLines(message)}\n` +
    (help ? `  ${paint.cyan('help:')} ${printable(help)}\n` : '')
  );
}

/** Raised when a field is removed or changes its meaning. */
const SCHEMA_VERSION = 1;

/**
 * The one JSON document on stdout with `--json`. Items are written at once, in one list; the other fields
 * follow at the end.
 */
export class JsonDocument {
  /** The name of that list. */
  list: string | undefined;
  /** What was reported before the end. */
  readonly notices: Diagnostic[] = [];
  #count = 0;

  constructor(readonly stream: Stream) {}

  add(item: object): void {
    const head = `{\n  "schemaVersion": ${String(SCHEMA_VERSION)},\n`;
    const opening = this.#count === 0 ? `${head}  ${JSON.stringify(this.list)}: [` : ',';
    this.#count += 1;
    this.stream.write(`${opening}\n${indented(item, '    ')}`);
  }

  end(fields: object): void {
    if (this.#count > 0) {
      this.stream.write(`\n  ],\n${indented(fields).slice('{\n'.length)}\n`);
      return;
    }
    const list = this.list === undefined ? {} : { [this.list]: [] };
    this.stream.write(`${indented({ schemaVersion: SCHEMA_VERSION, ...list, ...fields })}\n`);
  }
}

/**
 * Escapes invisible characters, because the document contains untrusted texts and may be shown on a
 * terminal.
 */
function indented(value: object, margin = ''): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.map((line) => margin + printable(line)).join('\n');
}
