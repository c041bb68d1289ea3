/** The program of a Web Worker that checks values against schemas of untrusted servers. */

import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import type { SchemaJob } from './schema-worker.js';

interface WorkerScope {
  onmessage: ((event: { readonly data: SchemaJob }) => void) | null;
  postMessage(message: unknown): void;
}

const scope = globalThis as unknown as WorkerScope;

function problem({ schema, value }: SchemaJob): string | undefined {
  // A new instance for each schema, because an instance confuses schemas with the same $id.
  const check = new AjvJsonSchemaValidator().getValidator(JSON.parse(schema) as object);
  const { valid, errorMessage } = check(JSON.parse(value));
  return valid ? undefined : errorMessage.slice(0, 1_000);
}

scope.onmessage = ({ data }) => {
  try {
    scope.postMessage({ problem: problem(data) });
  } catch (error) {
    scope.postMessage({ problem: String(error).slice(0, 1_000) });
  }
};
scope.postMessage('ready');
