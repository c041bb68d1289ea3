import type { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';

import { pause } from './pacing.js';
import { isCheapCheck } from './schema-cost.js';
import {
  type SchemaReply,
  type SchemaWorker,
  startSchemaWorker,
  type WebWorker,
} from './schema-worker.js';

/** Checks values against schemas of untrusted servers, with a timeout. */
export interface SchemaChecker {
  /** Resolves with the first violation, or with why the schema is invalid; undefined for a valid value. */
  problem(schema: object, value: unknown): Promise<string | undefined>;
  /** Ends the worker, if there is one. The next check starts another. */
  close(): void;
}

/** Milliseconds without a check before the worker is ended. */
const IDLE = 10_000;

/** `timeout` is the milliseconds for compiling a schema and checking one value. */
export function createSchemaChecker(timeout: number, web?: () => WebWorker): SchemaChecker {
  const inline = createInlineChecks();
  let worker: SchemaWorker | undefined;
  let idle: ReturnType<typeof setTimeout> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  // The validator generates code, which the content policy of a page may forbid. That of its worker may not.
  let prefersWorker = 'document' in globalThis;

  function close(): void {
    clearTimeout(idle);
    worker?.end();
    worker = undefined;
  }

  function concluded(reply: SchemaReply): string | undefined {
    if (reply === 'unstarted') throw new Error('the worker for it cannot start (schemaWorker)');
    if (typeof reply === 'object') {
      clearTimeout(idle);
      idle = pause(IDLE, close);
      return reply.problem;
    }
    close();
    return reply === 'late'
      ? `the check was stopped after ${timeout} ms (limit schemaTimeout)`
      : 'the check was stopped because it needed too much memory';
  }

  async function inWorker(
    schema: object,
    value: unknown,
    isCheap: boolean,
  ): Promise<string | undefined> {
    try {
      const job = { schema: JSON.stringify(schema), value: JSON.stringify(value) };
      clearTimeout(idle);
      worker ??= startSchemaWorker(web);
      return concluded(await worker.ask(job, timeout));
    } catch (error) {
      close();
      prefersWorker = false;
      return isCheap ? inline(schema, value) : notChecked(error);
    }
  }

  return {
    problem(schema, value) {
      const isCheap = isCheapCheck(schema, value);
      if (isCheap && !prefersWorker) return inline(schema, value);
      // The worker checks one value at a time.
      const result = last.then(() => inWorker(schema, value, isCheap));
      last = result;
      return result;
    },
    close,
  };
}

/** Schemas that one Ajv instance compiles, because an instance never frees any. */
const SCHEMAS_PER_ENGINE = 200;

/** The validator is loaded at the first check, because most clients need none. */
function createInlineChecks(): (schema: object, value: unknown) => Promise<string | undefined> {
  type Validate = ReturnType<AjvJsonSchemaValidator['getValidator']>;
  let compiled = new WeakMap<object, Validate>();
  let engine: AjvJsonSchemaValidator | undefined;
  let count = 0;

  async function validateOf(schema: object): Promise<Validate> {
    const known = compiled.get(schema);
    if (known !== undefined) return known;
    const ajv = await import('@modelcontextprotocol/client/validators/ajv');
    if ((count += 1) % SCHEMAS_PER_ENGINE === 0) {
      engine = undefined;
      compiled = new WeakMap();
    }
    engine ??= new ajv.AjvJsonSchemaValidator();
    const validate = engine.getValidator(schema);
    compiled.set(schema, validate);
    return validate;
  }

  return async (schema, value) => {
    try {
      const { valid, errorMessage } = (await validateOf(schema))(value);
      return valid ? undefined : errorMessage.slice(0, 1_000);
    } catch (error) {
      return notChecked(error);
    }
  };
}

function notChecked(error: unknown): string {
  return `the check failed: ${String(error).slice(0, 1_000)}`;
}
