import { basename, isAbsolute, relative } from 'node:path';
import { assemble, envFileOf, type Program, type ProgramOptions } from './assembly.js';
import { readCommandLine, settingsIn, optionRows, type Row } from './command-line.js';
import { runCommand, commandRows } from './commands.js';
import { versionOf, nameOf } from './identity.js';
import { openLog } from './open-log.js';
import { preferSmallHeap } from './options.js';
import type { LogLevel } from './own-settings.js';
import { exitWithReason, runUntilStopped } from './program.js';
import { readSettings, type SettingsShape } from './settings.js';
import { startServer } from './start.js';
import { ConfigError } from '../server/auth/index.js';
import { defaultOf, isOptional, meaningOf } from './setting-schema.js';

/**
 * Runs a server as the main program of this process, and ends the process: serves clients until SIGINT, SIGTERM or the
 * end of the only client, or runs the command that the command line begins with (`tasks`, `board`, `migrate`). Settings
 * come from the environment and from `.env` in the project's folder; `--help` lists them. When the server does not
 * start, prints the reason and exits as `exitWithReason` does.
 */
export async function runServer<S extends SettingsShape = Readonly<Record<never, never>>>(
  options: ProgramOptions<S>,
): Promise<never> {
  const args = process.argv.slice(2);
  let hints: Program['hints'] = {};
  try {
    const program = assemble(options as ProgramOptions<SettingsShape>, process.env);
    ({ hints } = program);
    loadEnvironment(envFileOf(program.project));
    return await run(program, args);
  } catch (error) {
    exitWithReason(error, { debug: isDebugging(args), hints });
  }
}

function isDebugging(args: readonly string[]): boolean {
  return args.includes('--debug') || process.env['LOG_LEVEL'] === 'debug';
}

async function run(program: Program, args: readonly string[]): Promise<never> {
  const code = await runCommand(program, args);
  if (code !== undefined) process.exit(code);
  const commandLine = readCommandLine(args, program.cluster !== undefined);
  if (commandLine.help === true) return printed(helpText(program, process.argv[1] ?? ''));
  if (commandLine.version === true) return printed(versionOf(program));
  return serve({ ...program, environment: { ...program.environment, ...settingsIn(commandLine) } });
}

function printed(text: string): never {
  console.log(text);
  process.exit();
}

async function serve(program: Program): Promise<never> {
  const { environment, place, options } = program;
  const settings = await readSettings(program.settings, environment, place);
  const log = options.log ?? (await openLog(settings['LOG_LEVEL'] as LogLevel));
  if (options.smallHeap !== false) preferSmallHeap();
  return runUntilStopped(
    () => startServer(program, settings, log),
    Number(settings['DRAIN_MS']),
    log,
  );
}

/**
 * Adds what a file of settings says to the environment of this process, which comes first. A file that is not there
 * says nothing.
 *
 * @throws {ConfigError} for a file that cannot be read.
 */
function loadEnvironment(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new ConfigError(`Cannot read ${file}: ${code ?? 'no file'}`);
  }
}

/** The text that `--help` prints. `main` is the path of the program's file. */
export function helpText(program: Program, main: string): string {
  const { cluster, settings } = program;
  const command = `node ${shownPath(program.project, main)} [command] [options]`;
  return [
    `${nameOf(program)}: an MCP server. Without a command it serves clients.\n`,
    section('Usage', [[command, '']]),
    section('Commands', commandRows(program)),
    section('Options', optionRows(cluster !== undefined)),
    section('Environment, or .env in the project', settingRows(settings)),
  ]
    .filter(Boolean)
    .join('\n')
    .trimEnd();
}

/** From the project's folder, where the file is in it. */
function shownPath(project: string, main: string): string {
  const path = relative(project, main);
  return path.startsWith('..') || isAbsolute(path) ? basename(main) : path;
}

/** The names of settings with their meanings and defaults. */
function settingRows(settings: SettingsShape): readonly Row[] {
  return Object.entries(settings).map(([name, schema]) => {
    const preset = defaultOf(schema);
    const meaning = meaningOf(schema);
    if (preset) return [name, `${meaning} (default: ${preset})`.trimStart()];
    return [name, isOptional(schema) ? meaning : `${meaning} (required)`.trimStart()];
  });
}

function section(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([written]) => written.length));
  const lines = rows.map(([written, meaning]) =>
    `  ${written.padEnd(width)}  ${meaning}`.trimEnd(),
  );
  return `${title}:\n${lines.join('\n')}\n`;
}
