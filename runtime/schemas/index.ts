export { type Contract, contractOf } from './contract.js';
export { type Direction, isDescribed, isJsonSchema, mendOf } from './conversion.js';
export { SchemaFault } from './fault.js';
export type { AnyFormSchema, FormContent, FormSchema } from './form-types.js';
export { type Form, formOf } from './forms.js';
export { argumentsRoot, resultRoot } from './roots.js';
export { type Checked, type Issue, issuesText, type StandardSchema } from './standard.js';
export {
  type JsonSchema,
  jsonSchema,
  type ObjectSchema,
  type SchemaInput,
  type SchemaOutput,
  type ValueSchema,
} from './types.js';
export { wrappedSchema } from './wrapping.js';
