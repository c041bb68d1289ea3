export { type Completer, type Completers, completersIn, type Completions } from './completion.js';
export {
  assertDefinition,
  assertRules,
  type DefinitionKind,
  FUNCTION,
  FUNCTIONS,
  ICONS,
  NAME,
  OBJECT,
  type Rule,
  SCOPES,
  subjectOf,
  TEXT,
  ZOD_OBJECT,
} from './rules.js';
export { parseUriTemplate, type TemplateVariables, type UriTemplate } from './uri-template.js';
