import type { jsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

import { type SchemaReply, type SchemaWorker, startSchemaWorker } from './schema-worker.js';
import { isCheapCheck } from './schema-cost.js';

/** Checks values against schemas of untrusted servers, with a timeout. */
export interface SchemaChecker {
  /** Resolves with the first violation, or with why the schema is invalid; undefined for a valid value. */
  problem(schema: object, value: unknown): Promise<string | undefined>;
  /** The same, but blocks this thread for up to the timeout. Do not mix it with `problem`. */
  problemSync(schema: object, value: unknown): string | undefined;
  /** Ends the worker, if there is one. The next check starts another. */
  close(): void;
}

/** Milliseconds without a check before the worker is ended. */
const IDLE = 10_000;

/** `timeout` is the milliseconds for compiling a schema and checking one value. */
export function createSchemaChecker(timeout: number): SchemaChecker {
  const inline = createInlineChecks();
  let worker: SchemaWorker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  function close(): void {
    clearTimeout(idle);
    worker?.end();
    worker = undefined;
  }

  function concluded(reply: SchemaReply): string | undefined {
    if (typeof reply === 'object') {
      clearTimeout(idle);
      idle = setTimeout(close, IDLE).unref();
      return reply.problem;
    }
    close();
    return reply === 'late'
      ? `the check was stopped after ${timeout} ms (limit schemaTimeout)`
      : 'the check was stopped because it needed too much memory';
  }

  async function inWorker(schema: object, value: unknown): Promise<string | undefined> {
    try {
      const job = { schema: JSON.stringify(schema), value: JSON.stringify(value) };
      clearTimeout(idle);
      worker ??= startSchemaWorker();
      return concluded(await worker.ask(job, timeout));
    } catch (error) {
      return notChecked(error);
    }
  }

  return {
    problem(schema, value) {
      if (isCheapCheck(schema, value)) return Promise.resolve(inline(schema, value));
      // The worker checks one value at a time.
      const result = last.then(() => inWorker(schema, value));
      last = result;
      return result;
    },
    problemSync(schema, value) {
      if (isCheapCheck(schema, value)) return inline(schema, value);
      try {
        const job = { schema: JSON.stringify(schema), value: JSON.stringify(value) };
        worker ??= startSchemaWorker();
        clearTimeout(idle);
        return concluded(worker.askNow(job, timeout));
      } catch (error) {
        return notChecked(error);
      }
    },
    close,
  };
}

/**
 * A validator with a timeout in milliseconds, for the option `jsonSchemaValidator` of the SDK's `Client`.
 * The SDK waits for its validator, so a check blocks the thread for up to the timeout.
 */
export function boundedSchemaValidator(timeout = 2_000): jsonSchemaValidator {
  const checker = createSchemaChecker(timeout);
  return {
    // Compiles at the first check, because the SDK calls this for the schemas of all tools.
    getValidator: (schema) => (input) => {
      const errorMessage = checker.problemSync(schema, input);
      return errorMessage === undefined
        ? { valid: true, data: input as never, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage };
    },
  };
}

/** Schemas that one Ajv instance compiles, because an instance never frees any. */
const SCHEMAS_PER_ENGINE = 200;

function createInlineChecks(): (schema: object, value: unknown) => string | undefined {
  type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;
  let compiled = new WeakMap<object, Validate>();
  let engine = new AjvJsonSchemaValidator();
  let count = 0;
  return (schema, value) => {
    try {
      let validate = compiled.get(schema);
      if (validate === undefined) {
        if ((count += 1) % SCHEMAS_PER_ENGINE === 0) {
          engine = new AjvJsonSchemaValidator();
          compiled = new WeakMap();
        }
        validate = engine.getValidator(schema);
        compiled.set(schema, validate);
      }
      const { valid, errorMessage } = validate(value);
      return valid ? undefined : errorMessage.slice(0, 1_000);
    } catch (error) {
      return notChecked(error);
    }
  };
}

function notChecked(error: unknown): string {
  return `the check failed: ${String(error).slice(0, 1_000)}`;
}
