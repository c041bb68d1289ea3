export { ANYTHING } from './anything.js';
export { buildProtocol, factsFor } from './build.js';
export { discriminatorOf } from './discriminator.js';
export type { SchemaDocument } from './document.js';
export { type Draft, DRAFTS, REF_SIBLINGS, type RefSiblings } from './draft.js';
export { EXCEPTIONS } from './exceptions.js';
export type { Exceptions } from './exceptions.js';
export { Flattener } from './flatten.js';
export { capitalized, isIdentifier, pascalCase } from './identifier.js';
export { leadingTo, recursiveNames } from './graph.js';
export {
  alternativesOf,
  findProperty,
  literalsOf,
  mapNode,
  mapParts,
  methodsOf,
  propertiesOf,
  referencesOf,
  resolve,
} from './lookup.js';
export { groupMembers, listedMessages, MESSAGE_GROUPS, resultResponseOf } from './messages.js';
export type { ProtocolMessage } from './messages.js';
export type { Definitions } from './lookup.js';
export * from './model.js';
