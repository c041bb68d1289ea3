import {
  type Definition,
  type Definitions,
  findProperty,
  literalsOf,
} from '../../json-schema/index.js';
import type { ErrorCode } from './model.js';

/** The codes of JSON-RPC 2.0, section 5.1, which apply to every revision. */
const JSON_RPC_ERRORS: readonly ErrorCode[] = [
  { name: 'ParseError', code: -32700 },
  { name: 'InvalidRequest', code: -32600 },
  { name: 'MethodNotFound', code: -32601 },
  { name: 'InvalidParams', code: -32602 },
  { name: 'InternalError', code: -32603 },
];

/** The error codes of the schema and of JSON-RPC, highest first. */
export function errorsOf(definitions: Definitions): ErrorCode[] {
  const described = [...definitions.values()].flatMap((definition) => {
    const code = codeOf(definition, definitions);
    return code === undefined ? [] : [{ name: shortName(definition.name), code, definition }];
  });
  const codes = new Map(JSON_RPC_ERRORS.map((error) => [error.code, error]));
  for (const { name, code, definition } of described) {
    codes.set(code, { name: codes.get(code)?.name ?? name, code, definition: definition.name });
  }
  return [...codes.values()].sort((a, b) => b.code - a.code);
}

/** `URLElicitationRequiredError` → `URLElicitationRequired`. */
function shortName(name: string): string {
  return name.replace(/Error$/, '');
}

/** The code is a literal in an error object, or in the `error` of a response. */
function codeOf({ node }: Definition, definitions: Definitions): number | undefined {
  const error = findProperty(node, 'error', definitions);
  const code = findProperty(error?.node ?? node, 'code', definitions);
  const values = code && literalsOf(code.node, definitions);
  return values?.length === 1 && typeof values[0] === 'number' ? values[0] : undefined;
}
