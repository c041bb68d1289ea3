export { buildProtocol } from './build.js';
export { referencedName } from './document.js';
export type { JsonSchema, SchemaDocument } from './document.js';
export { EXCEPTIONS } from './exceptions.js';
export type { Exceptions } from './exceptions.js';
export { findProperty, literalsOf, mapNode, methodOf, propertiesOf, resolve } from './lookup.js';
export type { Definitions } from './lookup.js';
export * from './model.js';
export { isFormat, listedNames } from './node.js';
