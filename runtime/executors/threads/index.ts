import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { subjectKeyOf, type TaskControls, type Progress } from '../../tasks/index.js';
import { createSlots } from '../shared/slots.js';

/** Runs computations in worker threads, so that the server answers other requests meanwhile. */

type ArgsOf<M extends ThreadModule> = Parameters<M['run']>[0];
type ResultOf<M extends ThreadModule> = Awaited<ReturnType<M['run']>>;

/** Threads at a time: one core is left to the server. Further runs wait, and subjects take turns. */
const THREADS = Math.max(availableParallelism() - 1, 1);

const slots = createSlots({
  concurrency: THREADS,
  concurrencyPerSubject: THREADS,
  soon: (callback) => void setImmediate(callback),
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
  task: Pick<TaskControls, 'owner' | 'subjectKey' | 'signal' | 'progress'>,
): Promise<ResultOf<M>> {
  const subject = subjectKeyOf(task);
  await turn(subject, task.signal);
  try {
    return (await runIn({ module: source(module), args }, task)) as ResultOf<M>;
  } finally {
    slots.release(subject);
  }
}

/** Resolves when the subject has a thread. */
async function turn(subject: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (slots.take(subject)) return;
  await new Promise<void>((resolve, reject) => {
    const abort = (): void => {
      withdraw();
      reject(signal.reason as Error);
    };
    const start = (): void => {
      signal.removeEventListener('abort', abort);
      resolve();
    };
    const withdraw = slots.wait({ subject, resumes: false, start });
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Starts a new thread, which takes about 30 ms, and ends it with the run. */
function runIn(
  order: Order,
  { signal, progress }: Pick<TaskControls, 'signal' | 'progress'>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const worker = createThread(order.module);
    const settle = (): void => {
      signal.removeEventListener('abort', abort);
      worker.removeAllListeners();
      // An ending thread may still report an error, which must not crash the process.
      worker.on('error', () => undefined);
      void worker.terminate();
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
    };
    const abort = (): void => fail(signal.reason as Error);
    /** Arguments may not be copyable, and progress may be of any shape. */
    const orFail = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        fail(error as Error);
      }
    };
    signal.addEventListener('abort', abort, { once: true });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`The thread ended with exit code ${code}`)));
    worker.on('message', (reply: Reply) => {
      if (reply.kind === 'progress') return orFail(() => progress(reply.progress));
      settle();
      if (reply.kind === 'failed') reject(reply.error);
      else resolve(reply.result);
    });
    orFail(() => worker.postMessage(order));
  });
}

function createThread(module: string): Worker {
  const tsx = module.endsWith('.ts') ? tsxFor(module) : undefined;
  if (tsx === undefined) return new Worker(THREAD, { eval: true });
  // In a project that runs from its sources a thread has to register tsx before it imports the first one.
  const loader = JSON.stringify(pathToFileURL(tsx).href);
  const start = `import(${loader}).then(({ register }) => { register(); ${THREAD} })`;
  return new Worker(start, { eval: true, execArgv: [] });
}

/** The loader that a module needs for TypeScript; undefined where the project has none. */
function tsxFor(module: string): string | undefined {
  try {
    return createRequire(module)
      .resolve('tsx/esm/api')
      .replace(/\.cjs$/, '.mjs');
  } catch {
    return undefined;
  }
}

/** `x.js` is `x.ts` while a project runs from its sources. */
function source(module: URL): string {
  const typescript = new URL(module.href.replace(/\.js$/, '.ts'));
  return existsSync(module) || !existsSync(typescript) ? module.href : typescript.href;
}

/** A module that a thread can run. Arguments, progress and result are copied (structured clone). */
export interface ThreadModule<Args = never, Result = unknown> {
  readonly run: (args: Args, report: (progress: Progress) => void) => Result;
}

/** The run that a thread is started for. */
interface Order {
  readonly module: string;
  readonly args: unknown;
}

/** A message of a thread. */
type Reply =
  | { readonly kind: 'progress'; readonly progress: Progress }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly error: Error };

/**
 * What each thread runs first: it answers an `Order` with `Reply` messages. It is a text, because a bundle of a server has
 * no file beside it that a thread could start with, and it uses nothing that a thread does not need.
 */
const THREAD = `
const { parentPort } = require('node:worker_threads');

async function serve({ module, args }) {
  try {
    const { run } = await import(module);
    const report = (progress) => parentPort.postMessage({ kind: 'progress', progress });
    parentPort.postMessage({ kind: 'done', result: await run(args, report) });
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error));
    parentPort.postMessage({ kind: 'failed', error: thrown });
  }
}

parentPort.on('message', serve);
`;
