export { type Completer, type Completers, completersIn, type Completions } from './completion.js';
export {
  assertDefinition,
  assertRules,
  type DefinitionKind,
  FUNCTION,
  FUNCTIONS,
  ICONS,
  jsonSchemaOf,
  NAME,
  OBJECT,
  type Rule,
  SCHEMA,
  SCOPES,
  subjectOf,
  TEXT,
} from './rules.js';
export { parseUriTemplate, type TemplateVariables, type UriTemplate } from './uri-template.js';
