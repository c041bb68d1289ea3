import { quoted } from '../emit/format/layout.js';
import { schemaHash } from '../emit/support/schema-hash.js';
import { emitChecks } from '../emit/validators/index.js';
import type { Imports } from '../emit/validators/index.js';
import type { ToolSchema, TypedTool } from './tools.js';

/**
 * The source of a module that validates, without a header: straight-line code that needs neither `eval` nor a schema
 * at run time. It imports types from `types`, and modules of `../support/`.
 *
 * ```ts
 * export const validateInput: {
 *   // A function for each tool, by the names that its functions have.
 *   slowCompute(value: unknown, options?: ValidationOptions): Validation<types.SlowComputeInput>;
 * };
 * // The same for each tool with an output schema.
 * export const validateOutput: { … };
 * // Both by the names of the tools.
 * export const toolChecks: ReadonlyMap<string, { input: Check; output?: Check }>;
 * // The official SDK's option of this name, with these checks.
 * export function jsonSchemaValidator(options?: SchemaValidatorOptions): SchemaValidator;
 * ```
 *
 * `{ ok: false, errors }` has all errors with JSON pointers. Where `ToolSchema.exact` is false, a part of the schema was
 * not read, and the function accepts every value there.
 */
export function emitToolValidators(tools: readonly TypedTool[], types: string): string {
  const schemas = tools.flatMap(({ input, output }) => (output ? [input, output] : [input]));
  const source = emitChecks(
    schemas.flatMap(({ definitions }) => definitions),
    (validationOf, imports) => {
      const method = (name: string, schema: ToolSchema): string => {
        const options = imports.type('validation', 'ValidationOptions');
        const result = imports.type('validation', 'Validation');
        return [
          `  ${name}(value: unknown, options?: ${options}): ${result}<types.${schema.name}> {`,
          `    return ${validationOf(schema.name, 'value', 'options')};`,
          '  },',
        ].join('\n');
      };
      return [
        table(
          'validateInput',
          'The arguments of each tool.',
          tools.map(({ identifier, input }) => method(identifier, input)),
        ),
        table(
          'validateOutput',
          'The structured content of each tool that has an output schema.',
          tools.flatMap(({ identifier, output }) => (output ? [method(identifier, output)] : [])),
        ),
        byName(tools, imports.type('validation', 'Validation')),
        forSdk(tools, imports),
      ].join('\n');
    },
  );
  const head = tools.length > 0 ? `import type * as types from '${types}';\n` : '';
  return head + source;
}

function table(name: string, comment: string, methods: readonly string[]): string {
  const body = methods.length === 0 ? '{}' : `{\n${methods.join('\n')}\n}`;
  return `\n/** ${comment} */\nexport const ${name} = ${body};\n`;
}

function byName(tools: readonly TypedTool[], validation: string): string {
  const check = `(value: unknown) => ${validation}<unknown>`;
  const entries = tools.map(({ name, identifier, output }) => {
    const checks = [
      `input: validateInput.${identifier}`,
      ...(output ? [`output: validateOutput.${identifier}`] : []),
    ];
    return `  [${quoted(name)}, { ${checks.join(', ')} }],`;
  });
  return [
    '',
    '/** The checks by the names of the tools. */',
    'export const toolChecks: ReadonlyMap<',
    '  string,',
    `  { readonly input: ${check}; readonly output?: ${check} }`,
    `> = /*@__PURE__*/ new Map([${entries.length > 0 ? `\n${entries.join('\n')}\n` : ''}]);`,
    '',
  ].join('\n');
}

/** Checks by the hash of their schema, but for schemas that were not read as a whole. */
function forSdk(tools: readonly TypedTool[], imports: Imports): string {
  const entries = tools.flatMap(({ identifier, input, output }) => [
    ...(input.exact ? [[schemaHash(input.schema), `validateInput.${identifier}`] as const] : []),
    ...(output?.exact
      ? [[schemaHash(output.schema), `validateOutput.${identifier}`] as const]
      : []),
  ]);
  const known = [...new Map(entries)].map(([hash, check]) => `    [${quoted(hash)}, ${check}],`);
  const validator = imports.type('schema-validator', 'SchemaValidator');
  const options = imports.type('schema-validator', 'SchemaValidatorOptions');
  const validation = imports.type('validation', 'Validation');
  const given = imports.type('validation', 'ValidationOptions');
  return [
    '',
    '/** The option `jsonSchemaValidator` of the official SDK. It has checks for these schemas only. */',
    `export function jsonSchemaValidator(options?: ${options}): ${validator} {`,
    `  const known = new Map<string, (value: unknown, options?: ${given}) => ${validation}<unknown>>([`,
    ...known,
    '  ]);',
    `  return ${imports.value('schema-validator', 'schemaValidator')}(known, options);`,
    '}',
    '',
  ].join('\n');
}
