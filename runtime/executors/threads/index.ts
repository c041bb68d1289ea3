import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import type { Progress, TaskControls } from '../../tasks/index.js';
import { createSlots } from '../in-process/slots.js';

/**
 * Runs what keeps a core busy in a thread of its own, so that the server answers others meanwhile.
 * This module is also what each thread starts with; it imports nothing that a thread does not need.
 */

/** A module that a thread can run. Arguments, progress and result are copied (structured clone). */
export interface ThreadModule<Args = never, Result = unknown> {
  readonly run: (args: Args, report: (progress: Progress) => void) => Result;
}

type ArgsOf<M extends ThreadModule> = Parameters<M['run']>[0];
type ResultOf<M extends ThreadModule> = Awaited<ReturnType<M['run']>>;

/** Threads at a time. The rest wait, by turns of their owners; one core stays with the server. */
const THREADS = Math.max(availableParallelism() - 1, 1);
const MARK = 'mcp-codegen thread';

interface Order {
  readonly module: string;
  readonly args: unknown;
}

type Reply =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: Error };

const slots = createSlots({
  concurrency: THREADS,
  concurrencyPerOwner: THREADS,
  soon: (callback) => void setImmediate(callback),
  onIdle: () => undefined,
});

/**
 * Calls the module's `run` in a thread and resolves with what it returns. When the task is stopped the
 * thread is ended, whatever it does, and the signal's reason is thrown.
 *
 *     inThread<typeof thread>(new URL('./primes.thread.js', import.meta.url), args, task)
 */
export async function inThread<M extends ThreadModule>(
  module: URL,
  args: ArgsOf<M>,
  task: Pick<TaskControls, 'owner' | 'signal' | 'progress'>,
): Promise<ResultOf<M>> {
  await turn(task.owner, task.signal);
  try {
    return (await runIn({ module: source(module), args }, task)) as ResultOf<M>;
  } finally {
    slots.release(task.owner);
  }
}

/** Resolves when the owner has a thread. */
async function turn(owner: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (slots.take(owner)) return;
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      withdraw();
      reject(signal.reason as Error);
    };
    const start = (): void => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const withdraw = slots.wait({ owner, resumes: false, start });
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** A thread a run: it starts in some 30 ms, keeps nothing of the run before, and is ended with the run. */
function runIn(
  order: Order,
  { signal, progress }: Pick<TaskControls, 'signal' | 'progress'>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const worker = createThread();
    const settle = (): void => {
      signal.removeEventListener('abort', abort);
      worker.removeAllListeners();
      // What a dying thread still reports is of no interest, but must not bring the process down.
      worker.on('error', () => undefined);
      void worker.terminate();
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`The thread ended with exit code ${code}`)));
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'progress') return progress(reply.progress);
      settle();
      if (reply.kind === 'failed') reject(reply.error);
      else resolve(reply.result);
    });
    worker.postMessage(order);
  });
}

function createThread(): Worker {
  if (!import.meta.url.endsWith('.ts')) {
    return new Worker(new URL(import.meta.url), { workerData: MARK });
  }
  // A project that runs from its sources: a thread needs tsx of its own, before it reads the first one.
  const tsx = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const [loader, self] = [pathToFileURL(tsx).href, import.meta.url].map((url) =>
    JSON.stringify(url),
  );
  const start = `import(${loader}).then(({ register }) => (register(), import(${self})))`;
  return new Worker(start, { eval: true, workerData: MARK, execArgv: [] });
}

/** `x.js` is `x.ts` while a project runs from its sources. */
function source(module: URL): string {
  const typescript = new URL(module.href.replace(/\.js$/, '.ts'));
  return existsSync(module) || !existsSync(typescript) ? module.href : typescript.href;
}

async function serve({ module, args }: Order, post: (reply: Reply) => void): Promise<void> {
  try {
    const { run } = (await import(module)) as ThreadModule<unknown>;
    const result = await run(args, (progress) => post({ kind: 'progress', progress }));
    post({ kind: 'done', result });
  } catch (error) {
    post({ kind: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
  }
}

if (!isMainThread && workerData === MARK) {
  parentPort?.on('message', (order: Order) => {
    void serve(order, (reply) => parentPort?.postMessage(reply));
  });
}
