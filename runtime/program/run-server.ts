import { assemble, envFileOf, type Program, type ProgramOptions } from './assembly.js';
import { readCommandLine, settingsIn } from './command-line.js';
import { runCommand } from './commands.js';
import { loadEnvironment } from './environment.js';
import { helpText } from './help.js';
import { versionOf } from './identity.js';
import { openLog } from './open-log.js';
import { preferSmallHeap } from './options.js';
import type { LogLevel } from './own-settings.js';
import { exitWithReason, runUntilStopped } from './program.js';
import { readSettings, type SettingsShape } from './settings.js';
import { startServer } from './start.js';

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
