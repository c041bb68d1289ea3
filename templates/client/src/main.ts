/** Calls a tool and follows its task. Each start first resumes the tasks that are still running. */
import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { type CallHandle, CallError, type Progress, printable } from '@mcp-codegen/runtime/client';
import { readPrivateFile, writePrivateFile } from '@mcp-codegen/runtime/client/node';
import { connect, show } from './client.js';

const USAGE = 'Usage: node dist/main.js [<tool> [<arguments as JSON>]] -- <URL or command>';

async function main(words: readonly string[]): Promise<void> {
  const end = words.indexOf('--');
  const server = words.slice(end + 1);
  if (end < 0 || end > 2 || server.length === 0) throw new Error(USAGE);
  const [tool, json = '{}'] = words.slice(0, end);
  const args = JSON.parse(json) as Record<string, unknown>;
  const client = await connect(server);
  // Ctrl-C ends the connection, and the task continues at the server.
  const leave = (): void => void client.close();
  process.once('SIGINT', leave);
  try {
    for (const file of await keptTasks()) {
      const task = ((await readPrivateFile(file)) ?? {}) as { server?: unknown; reference: string };
      if (String(task.server) !== String(server)) continue;
      await finish(client.resume(task.reference, { onProgress }), file);
    }
    if (tool === undefined) return;
    // Until the server has accepted the call, Ctrl-C withdraws it.
    const call = new AbortController();
    const withdraw = (): void => call.abort();
    process.off('SIGINT', leave).once('SIGINT', withdraw);
    const handle = await client.start(tool, args, { onProgress, signal: call.signal });
    process.off('SIGINT', withdraw).once('SIGINT', leave);
    const file = `.tasks/${randomUUID()}.json`;
    if (handle.reference) await writePrivateFile(file, { server, reference: handle.reference });
    await finish(Promise.resolve(handle), file);
  } finally {
    await client.close();
  }
}

/** Prints a result or an error. Deletes the file of the task unless the task may still be running. */
async function finish(call: Promise<CallHandle>, file: string): Promise<void> {
  try {
    const { content, structuredContent } = await (await call).result();
    const texts = content.map((each) => (each.type === 'text' ? each.text : `[${each.type}]`));
    show('');
    console.log(printable(JSON.stringify(structuredContent) ?? texts.join('\n'), Infinity));
  } catch (error) {
    if (!(error instanceof CallError) || error.reason === 'lost') throw error;
    report(error);
    const mayRun = error.reference && error.reason !== 'invalid_answer';
    if (mayRun) return console.error(`The next start tries again. To stop that, delete ${file}`);
  }
  await rm(file, { force: true });
}

/** Each running task has a file, so programs that run at once need no lock. */
async function keptTasks(): Promise<string[]> {
  const names = await readdir('.tasks').catch(() => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => `.tasks/${name}`);
}

function onProgress({ progress, total, message = '' }: Progress): void {
  show(`${total ? `${Math.floor((100 * progress) / total)} %` : progress} ${message}`);
}

function report(error: Error): void {
  show('');
  console.error(printable(error.message + (error instanceof SyntaxError ? `\n${USAGE}` : '')));
  process.exitCode = 1;
}

await main(process.argv.slice(2)).catch(report);
