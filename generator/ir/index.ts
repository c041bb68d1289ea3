export { buildProtocol } from './build.js';
export type { SchemaDocument } from './document.js';
export { EXCEPTIONS } from './exceptions.js';
export type { Exceptions } from './exceptions.js';
export { flatten } from './flatten.js';
export type { Flattened } from './flatten.js';
export {
  findProperty,
  literalsOf,
  mapNode,
  mapParts,
  methodOf,
  propertiesOf,
  resolve,
} from './lookup.js';
export type { Definitions } from './lookup.js';
export * from './model.js';
