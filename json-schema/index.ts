export { ANYTHING } from './anything.js';
export { compile, createJudge } from './compile/compile.js';
export type { Compiled, CompileOptions, Judge, RefusalOptions } from './compile/compile.js';
export type { Refusal } from './compile/refusals.js';
export { TooManySteps } from './compile/steps.js';
export { TYPE_NAMES, typeOf, typesOf } from './compile/types.js';
export type { TypeName } from './compile/types.js';
export { circularDefinitions } from './cycles.js';
export { discriminatorOf } from './discriminator.js';
export { type Draft, DRAFTS, REF_SIBLINGS, type RefSiblings } from './draft.js';
export { formatCheck } from './formats.js';
export { leadingTo, recursiveNames } from './graph.js';
export { isObject, isSchema } from './json.js';
export type { JsonObject, JsonSchema } from './json.js';
export {
  alternativesOf,
  eachNode,
  findProperty,
  literalsOf,
  mapNode,
  mapParts,
  propertiesOf,
  referencesOf,
  resolve,
} from './lookup.js';
export type { Definitions } from './lookup.js';
export * from './model.js';
export { nearest } from './nearest.js';
export { isBeyondRe2, isPattern, isRefusal, readPattern } from './pattern/index.js';
export type { Part, Pattern, PatternRefusal, Program } from './pattern/index.js';
export { matcherOf } from './pattern/matcher.js';
export type { Matcher } from './pattern/matcher.js';
export { jsonPointer, pointerParts } from './pointer.js';
export { DRAFT_URIS, draftNamed, isUndated } from './read/drafts.js';
export {
  CONTAINERS,
  isAnnotation,
  isApplied,
  isKeyword,
  isType,
  KEYWORDS,
} from './read/keywords.js';
export type { Holds } from './read/keywords.js';
export { Reading } from './read/read.js';
export type { ReadOptions } from './read/read.js';
export type { ReadDefinition } from './read/reader.js';
export type { Fault, FaultCode } from './read/report.js';
export { documentUri, UNNAMED } from './read/resources.js';
export type { Path, Place } from './read/resources.js';
export { references } from './read/references.js';
export type { Reference } from './read/references.js';
export { read, TooLarge } from './read/whole.js';
export type { ReadSchemaOptions, WholeSchema } from './read/whole.js';
export { membersOf, subschemas } from './read/subschemas.js';
export type { Member, Subschema } from './read/subschemas.js';
export { printable, quote } from './text.js';
export { metaschemaFaults } from './valid.js';
export type { ValidOptions } from './valid.js';
