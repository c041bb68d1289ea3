/** A thread that checks values against schemas of untrusted servers, in Node.js and in browsers. */

import { startTimer } from './pacing.js';

/** A schema and a value, both as JSON. */
export interface SchemaJob {
  readonly schema: string;
  readonly value: string;
}

/**
 * The outcome of a job. After `late` (timeout), `lost` (the thread ended) and `unstarted` (for instance, a browser cannot
 * load its module) the worker is unusable.
 */
export type SchemaReply = { readonly problem: string | undefined } | 'late' | 'lost' | 'unstarted';

/** A thread that checks one value at a time. It does not keep the process alive. */
export interface SchemaWorker {
  ask(job: SchemaJob, timeout: number): Promise<SchemaReply>;
  end(): void;
}

/** A Web Worker, as far as it is used. */
export interface WebWorker {
  postMessage(message: unknown): void;
  terminate(): void;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onerror: ((event: never) => void) | null;
}

interface Thread {
  post(job: SchemaJob): void;
  end(): void;
}

/** `receive` gets the messages of the thread, and `lost` when it has ended. */
type OpenThread = (receive: (message: unknown) => void) => Thread;

/** Milliseconds for the start of a thread, long enough for a busy machine. */
const START = 20_000;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

/** `web` makes the worker in a browser. Default: bundlers that know `new Worker(new URL(…))` add its module. */
export function startSchemaWorker(web: () => WebWorker = webWorker): SchemaWorker {
  let settle: (message: unknown) => void = () => undefined;
  let lost = false;
  const open = threadOfNode() ?? threadOfBrowser(web);
  const thread = open((message) => {
    lost ||= message === 'lost';
    settle(message);
  });
  let ready = false;

  function next(timeout: number): Promise<unknown> {
    return new Promise((resolve) => {
      // The timer keeps the process alive until the answer or the timeout.
      const timer = startTimer(timeout, () => resolve('late'));
      settle = (message) => {
        clearTimeout(timer);
        resolve(message);
      };
      if (lost) settle('lost');
    });
  }

  return {
    async ask(job, timeout) {
      if (!ready) {
        if ((await next(START)) !== 'ready') return 'unstarted';
        ready = true;
      }
      const answer = next(timeout);
      thread.post(job);
      return (await answer) as SchemaReply;
    },
    end: () => thread.end(),
  };
}

/**
 * The program of a thread of Node.js. It is a string, because a file would have to exist beside this module in
 * sources, in builds and in bundles.
 */
const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
for (const name of ['debug', 'error', 'info', 'log', 'warn']) console[name] = () => {};
const { AjvJsonSchemaValidator } = require(workerData);
const compiled = new Map();
function problem({ schema, value }) {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    // A new Ajv instance for each schema, because an instance confuses schemas with the same $id.
    validate = new AjvJsonSchemaValidator().getValidator(JSON.parse(schema));
    if (compiled.size >= 20) compiled.clear();
    compiled.set(schema, validate);
  }
  const { valid, errorMessage } = validate(JSON.parse(value));
  return valid ? undefined : String(errorMessage).slice(0, 1000);
}
parentPort.on('message', (job) => {
  try {
    parentPort.postMessage({ problem: problem(job) });
  } catch (error) {
    parentPort.postMessage({ problem: String(error).slice(0, 1000) });
  }
});
parentPort.postMessage('ready');
`;

/** Undefined where Node's modules are not. They are asked for instead of imported, so that bundles have none. */
function threadOfNode(): OpenThread | undefined {
  if (typeof process !== 'object' || typeof process.getBuiltinModule !== 'function')
    return undefined;
  const threads = process.getBuiltinModule('node:worker_threads');
  const { createRequire } = process.getBuiltinModule('node:module');
  const ajv = createRequire(import.meta.url).resolve('@modelcontextprotocol/client/validators/ajv');
  return (receive) => {
    const worker = new threads.Worker(PROGRAM, {
      eval: true,
      workerData: ajv,
      resourceLimits: MEMORY,
      // The thread compiles schemas of untrusted servers, so it gets no environment.
      env: {},
      execArgv: [],
    });
    worker.unref();
    worker.on('message', receive);
    // An `exit` event follows each `error` event.
    worker.on('error', () => undefined);
    worker.on('exit', () => receive('lost'));
    return { post: (job) => worker.postMessage(job), end: () => void worker.terminate() };
  };
}

function threadOfBrowser(start: () => WebWorker): OpenThread {
  return (receive) => {
    const worker = start();
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = () => receive('lost');
    return { post: (job) => worker.postMessage(job), end: () => worker.terminate() };
  };
}

declare const Worker: new (url: URL, options: { readonly type: 'module' }) => WebWorker;

function webWorker(): WebWorker {
  // The file of the entry `client/schema-worker`, which is in the folder of the built modules.
  return new Worker(new URL('./client-schema-worker.js', import.meta.url), { type: 'module' });
}
