import { createRequire } from 'node:module';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** A schema and a value, both as JSON. */
export interface SchemaJob {
  readonly schema: string;
  readonly value: string;
}

/** The outcome of a job. After `late` (timeout) or `lost` (the thread ended) the worker is unusable. */
export type SchemaReply = { readonly problem: string | undefined } | 'late' | 'lost';

/** A thread that checks one value at a time. It does not keep the process alive. */
export interface SchemaWorker {
  ask(job: SchemaJob, timeout: number): Promise<SchemaReply>;
  /** The same, but blocks this thread until then. */
  askNow(job: SchemaJob, timeout: number): SchemaReply;
  end(): void;
}

/**
 * The worker's program. It is a string, because a file would have to exist beside this module in
 * sources, in builds and in bundles.
 */
const PROGRAM = `
const { port, wake, ajv } = require('node:worker_threads').workerData;
for (const name of ['debug', 'error', 'info', 'log', 'warn']) console[name] = () => {};
const { AjvJsonSchemaValidator } = require(ajv);
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
function say(message) {
  port.postMessage(message);
  Atomics.store(wake, 0, 1);
  Atomics.notify(wake, 0);
}
port.on('message', (job) => {
  try {
    say({ problem: problem(job) });
  } catch (error) {
    say({ problem: String(error).slice(0, 1000) });
  }
});
say('ready');
`;

/** Milliseconds for the start of a thread, long enough for a busy machine. */
const START = 20_000;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 };

export function startSchemaWorker(): SchemaWorker {
  const { port1: port, port2 } = new MessageChannel();
  const wake = new Int32Array(new SharedArrayBuffer(4));
  const ajv = createRequire(import.meta.url).resolve('@modelcontextprotocol/client/validators/ajv');
  const worker = new Worker(PROGRAM, {
    eval: true,
    workerData: { port: port2, wake, ajv },
    transferList: [port2],
    resourceLimits: MEMORY,
    // The thread compiles schemas of untrusted servers, so it gets no environment.
    env: {},
    execArgv: [],
  });
  worker.unref();
  // An `exit` event follows each `error` event, and `lost` handles that.
  worker.on('error', () => undefined);
  let ready = false;

  function next(timeout: number): Promise<unknown> {
    return new Promise((resolve) => {
      const settle = (message: unknown): void => {
        clearTimeout(timer);
        port.off('message', settle);
        worker.off('exit', lost);
        resolve(message);
      };
      const lost = (): void => settle('lost');
      const timer = setTimeout(() => settle('late'), timeout);
      worker.once('exit', lost);
      port.once('message', settle);
      // The timer keeps the process alive until the answer or the timeout.
      port.unref();
    });
  }

  function nextNow(timeout: number): unknown {
    const until = performance.now() + timeout;
    for (;;) {
      const received = receiveMessageOnPort(port);
      if (received !== undefined) return received.message as unknown;
      const left = until - performance.now();
      if (left <= 0) return 'late';
      Atomics.wait(wake, 0, 0, left);
      Atomics.store(wake, 0, 0);
    }
  }

  return {
    async ask(job, timeout) {
      if (!ready) {
        const started = await next(START);
        if (started !== 'ready') return started as SchemaReply;
        ready = true;
      }
      port.postMessage(job);
      return (await next(timeout)) as SchemaReply;
    },
    askNow(job, timeout) {
      if (!ready) {
        const started = nextNow(START);
        if (started !== 'ready') return started as SchemaReply;
        ready = true;
      }
      port.postMessage(job);
      return nextNow(timeout) as SchemaReply;
    },
    end() {
      void worker.terminate();
    },
  };
}
