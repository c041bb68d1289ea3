import { parseCommandLine } from './arguments.js';
import type { Invocation } from './arguments.js';
import type { Command } from './command.js';
import { call } from './commands/call.js';
import { logIn, logOut } from './commands/login.js';
import { getPrompt, listPrompts } from './commands/prompts.js';
import { listResources, readResource } from './commands/resources.js';
import { addServer, listServers, removeServer } from './commands/servers.js';
import { cancelTask, getTask, listTasks, resumeTask, watchTask } from './commands/tasks.js';
import { describeTool, listTools } from './commands/tools.js';
import type { ExitCode } from './exit.js';
import { explain } from './failure.js';
import { HELP } from './help.js';
import type { Io } from './io.js';
import { openServers } from './servers.js';
import { createSession, done } from './session.js';
import type { Outcome, Session } from './session.js';
import { plain, shownJson } from './text.js';

/** Of the documents under `--json`: raised when a field goes or changes its meaning. */
const SCHEMA_VERSION = 1;

/** Runs a command line, from its arguments to its exit code. */
export async function run(argv: readonly string[], io: Io): Promise<ExitCode> {
  const end = argv.indexOf('--');
  const json = argv.slice(0, end === -1 ? argv.length : end).includes('--json');
  let invocation: Invocation | undefined;
  try {
    invocation = await parseCommandLine(argv, io.env, openServers(io.env));
    const outcome = await perform(invocation.command, createSession(invocation, io));
    if (json) printDocument({ command: invocation.command.name, ...outcome.data }, io);
    else io.output.write(outcome.text);
    return outcome.exit;
  } catch (error) {
    const { exit, message, data } = explain(error, invocation);
    if (json) printDocument({ error: { message, ...data } }, io);
    else io.messages.write(`${plain(message)}\n`);
    return exit;
  }
}

async function perform(command: Command, session: Session): Promise<Outcome> {
  switch (command.name) {
    case 'help':
      return done(HELP, { help: HELP });
    case 'tools':
      return command.tool === undefined
        ? await listTools(session)
        : await describeTool(session, command.tool);
    case 'call':
      return await call(session, command.tool, command);
    case 'resources':
      return await listResources(session);
    case 'resources read':
      return await readResource(session, command.uri);
    case 'prompts':
      return await listPrompts(session);
    case 'prompts get':
      return await getPrompt(session, command.prompt, command.values);
    case 'servers list':
      return await listServers(session);
    case 'servers add':
      return await addServer(session, command.server);
    case 'servers remove':
      return await removeServer(session, command.server);
    case 'login':
      return await logIn(session);
    case 'logout':
      return await logOut(session);
    case 'tasks list':
      return await listTasks(session);
    case 'tasks get':
      return await getTask(session, command.id);
    case 'tasks watch':
      return await watchTask(session, command.id);
    case 'tasks resume':
      return await resumeTask(session, command.id);
    case 'tasks cancel':
      return await cancelTask(session, command.id);
  }
}

function printDocument(document: object, io: Io): void {
  io.output.write(`${shownJson({ schemaVersion: SCHEMA_VERSION, ...document })}\n`);
}
