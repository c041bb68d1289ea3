export { type Contract, contractOf } from './contract.js';
export { type Direction, isDescribed, isJsonSchema, mendOf } from './conversion.js';
export { SchemaFault } from './fault.js';
export {
  type AnyFormSchema,
  type FormContent,
  type FormSchema,
  type JsonSchema,
  jsonSchema,
  type ObjectSchema,
  type SchemaInput,
  type SchemaOutput,
  type ValueSchema,
  type Form,
  formOf,
} from './forms.js';
export { argumentsRoot, resultRoot, wrappedSchema } from './roots.js';
export { type Checked, type Issue, issuesText, type StandardSchema } from './standard.js';
