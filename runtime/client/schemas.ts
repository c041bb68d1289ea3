import type { jsonSchemaValidator } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

import { type SchemaReply, type SchemaWorker, startSchemaWorker } from './schema-worker.js';
import { isTame } from './tame.js';

/** Checks values against schemas that strangers wrote, within a time. */
export interface SchemaChecker {
  /** Resolves with what is wrong with the value, or with its schema; undefined when nothing is. */
  complaint(schema: object, value: unknown): Promise<string | undefined>;
  /** The same, blocking this thread for up to the time-out. For checkers that are used in no other way. */
  complaintNow(schema: object, value: unknown): string | undefined;
  /** Ends the worker, if there is one; another is started when it is needed. */
  close(): void;
}

/** Milliseconds without a check, after which the worker is ended. */
const IDLE = 10_000;

/** `timeout`: milliseconds for compiling a schema and checking one value. */
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
      return reply.complaint;
    }
    close();
    return reply === 'late'
      ? `the check was stopped after ${timeout} ms (limit schemaTimeout)`
      : 'the check needs too much memory';
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
    complaint(schema, value) {
      if (isTame(schema, value)) return Promise.resolve(inline(schema, value));
      // One after another: a worker does one thing at a time.
      const result = last.then(() => inWorker(schema, value));
      last = result;
      return result;
    },
    complaintNow(schema, value) {
      if (isTame(schema, value)) return inline(schema, value);
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
 * For the option `jsonSchemaValidator` of the SDK's `Client`: what the SDK itself checks is then
 * checked within a time too. The SDK waits for its validator, so that time blocks the thread.
 */
export function boundedSchemaValidator(timeout = 2_000): jsonSchemaValidator {
  const checker = createSchemaChecker(timeout);
  return {
    // The SDK compiles the schemas of all tools before the first call: nothing is done until it is needed.
    getValidator: (schema) => (input) => {
      const errorMessage = checker.complaintNow(schema, input);
      return errorMessage === undefined
        ? { valid: true, data: input as never, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage };
    },
  };
}

/** Schemas that one engine compiles: it never forgets any. */
const SCHEMAS_AN_ENGINE = 200;

function createInlineChecks(): (schema: object, value: unknown) => string | undefined {
  type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;
  let compiled = new WeakMap<object, Validate>();
  let engine = new AjvJsonSchemaValidator();
  let count = 0;
  return (schema, value) => {
    try {
      let validate = compiled.get(schema);
      if (validate === undefined) {
        if ((count += 1) % SCHEMAS_AN_ENGINE === 0) {
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
