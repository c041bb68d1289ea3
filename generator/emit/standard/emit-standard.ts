import type { Protocol } from '../../ir/index.js';
import type { Definition, JsonValue } from '../../../json-schema/index.js';
import {
  assign,
  call,
  type Code,
  key,
  list,
  numeral,
  objectOf,
  print,
  quoted,
  textProperty,
} from '../format/layout.js';
import { createImports } from '../imports.js';
import type { Imports } from '../imports.js';
import { WIRE_FUNCTIONS } from '../validators/index.js';
import { jsonSchemaOf } from './json-schema.js';

/** `standard.ts`: each definition as a Standard Schema, `<Name>Schema`. A bundle contains those that it imports. */
export function emitStandard({ definitions }: Protocol): string {
  const imports = createImports();
  const code = definitions.map((definition) => declaration(definition, imports)).join('');
  return [
    imports.text(),
    "import type * as types from './types.js';\n",
    "import * as validators from './validators.js';\n",
    code,
  ].join('');
}

function declaration({ name, description, node }: Definition, imports: Imports): string {
  const needs = new Set<string>();
  const schema = jsonSchemaOf(description === undefined ? node : { ...node, description }, needs);
  const code = print(
    assign(
      `export const ${schemaName(name)}: ${imports.type('standard', 'StandardDefinition')}<types.${name}>`,
      [
        '/*@__PURE__*/ ',
        call(imports.value('standard', 'standard'), [
          quoted(name),
          checkOf(name, imports),
          literal(schema),
          ...(needs.size === 0 ? [] : [`() => [${[...needs].sort().map(schemaName).join(', ')}]`]),
        ]),
      ],
    ),
  );
  return `\n${code}\n`;
}

/** The function of `validators.ts`. Two of its names are functions that check messages. */
function checkOf(name: string, imports: Imports): string {
  if (!WIRE_FUNCTIONS.includes(`validate${name}`)) return `validators.validate${name}`;
  return `${imports.value('standard', 'validating')}(validators.is${name}, ${quoted(name)})`;
}

function schemaName(name: string): string {
  return `${name}Schema`;
}

function literal(value: JsonValue): Code {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return numeral(value);
  if (Array.isArray(value)) return list(value.map(literal));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return objectOf(
    Object.entries(value).map(([name, each]) =>
      typeof each === 'string' ? textProperty(name, each) : [key(name), ': ', literal(each)],
    ),
  );
}
