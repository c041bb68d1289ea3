/** Calls a tool and follows its task. A start with a task in `task.json` resumes that one instead. */
import { rm } from 'node:fs/promises';
import { CallError, printable } from '@mcp-codegen/runtime/client';
import type { Progress } from '@mcp-codegen/runtime/client';
import {
  createTaskClient,
  readPrivateFile,
  writePrivateFile,
} from '@mcp-codegen/runtime/client/node';
import { EXTENSION_ID } from '@mcp-codegen/runtime/ext-tasks/protocol';

const USAGE = 'Usage: node dist/main.js [<tool> [<arguments as JSON>]] -- <URL or command>';
const FILE = 'task.json';

async function main(words: readonly string[]): Promise<void> {
  const end = words.indexOf('--');
  const server = words.slice(end + 1);
  const [command, ...args] = server;
  const [tool, json = '{}'] = words.slice(0, end);
  const file = (await readPrivateFile(FILE)) as { server: string[]; reference: string } | undefined;
  let kept = String(file?.server) === String(server) ? file?.reference : undefined;
  if (end < 0 || end > 2 || !command || !(tool ?? kept)) throw new Error(USAGE);

  const client = createTaskClient({
    name: 'my-mcp-client',
    version: '0.1.0',
    capabilities: { extensions: { [EXTENSION_ID]: {} } },
  });
  await client.connect(/^https?:/.test(command) ? command : { command, args });
  // The task keeps running at the server, and the next start resumes it.
  process.once('SIGINT', () => void client.close());
  try {
    const call = kept
      ? await client.resume(kept, { onProgress })
      : await client.start(tool ?? '', JSON.parse(json) as Record<string, unknown>, { onProgress });
    kept = call.reference;
    if (kept) await writePrivateFile(FILE, { server, reference: kept });
    const { structuredContent, content } = await call.result();
    console.log(printable(JSON.stringify(structuredContent ?? content), Infinity));
    if (kept) await rm(FILE, { force: true });
  } catch (error) {
    if (!kept || !(error instanceof CallError)) throw error;
    report(error);
    const mayRun = error.reference && error.reason !== 'invalid_answer';
    if (mayRun) console.error(`The next start tries again. To stop that, delete ${FILE}`);
    else await rm(FILE, { force: true });
  } finally {
    await client.close();
  }
}

function onProgress({ progress, total, message = '' }: Progress): void {
  console.error(printable(`${progress} of ${total ?? 'unknown'} ${message}`));
}

function report(error: Error): void {
  console.error(printable(error.message + (error instanceof SyntaxError ? `\n${USAGE}` : '')));
  process.exitCode = 1;
}

await main(process.argv.slice(2)).catch(report);
