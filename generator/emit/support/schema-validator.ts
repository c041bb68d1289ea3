/** The `jsonSchemaValidator` of the official SDK's clients and servers, from emitted checks. */
import { schemaHash } from './schema-hash.js';
import type { Validation, ValidationError, ValidationOptions } from './validation.js';

/** The SDK's interface `jsonSchemaValidator`, whose caller says what type a valid value has. */
export interface SchemaValidator {
  getValidator(schema: unknown): (input: unknown) => SchemaVerdict;
}

export type SchemaVerdict =
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as a type parameter, it could not be inferred from the SDK's
  | { readonly valid: true; readonly data: any; readonly errorMessage: undefined }
  | { readonly valid: false; readonly data: undefined; readonly errorMessage: string };

export interface SchemaValidatorOptions {
  /** For schemas without an emitted check, such as the SDK's `CfWorkerJsonSchemaValidator`. */
  readonly fallback?: { getValidator(schema: never): (input: unknown) => SchemaVerdict };
  /** Whether emitted checks assert formats, as the SDK's own validators do; no by default. */
  readonly formats?: boolean;
}

type Check = (value: unknown, options?: ValidationOptions) => Validation<unknown>;

/**
 * `known` has the check of each schema by the schema's hash. Without a fallback, `getValidator` throws for other
 * schemas; the SDK reports that when such a tool is called, before the request.
 */
export function schemaValidator(
  known: ReadonlyMap<string, Check>,
  { fallback, formats = false }: SchemaValidatorOptions = {},
): SchemaValidator {
  return {
    getValidator(schema) {
      const hash = schemaHash(schema);
      const check = known.get(hash);
      if (check) return (input) => verdict(check(input, { formats }));
      if (fallback) return fallback.getValidator(schema as never);
      throw new Error(
        `There is no emitted check for this schema (SHA-256 ${hash}). Generate the tools again, or give a fallback.`,
      );
    },
  };
}

function verdict(validation: Validation<unknown>): SchemaVerdict {
  return validation.ok
    ? { valid: true, data: validation.value, errorMessage: undefined }
    : { valid: false, data: undefined, errorMessage: messages(validation.errors) };
}

const messages = (errors: readonly ValidationError[]): string =>
  errors.map(({ message }) => message).join(' ');
