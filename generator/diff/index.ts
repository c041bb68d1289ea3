export { diffProtocols } from './diff.js';
export { diffAsMarkdown } from './markdown.js';
export type * from './model.js';
export {
  countDefinitions,
  countMethods,
  sayBreaks,
  sayChange,
  sayCount,
  sayDirection,
} from './outline.js';
export type { Count } from './outline.js';
export { sayAdditional, sayCapabilities, sayNode } from './say.js';
export { countSides, withSides } from './sides.js';
export { differs, significant } from './significant.js';
export type { Significant } from './significant.js';
export { diffAsText } from './text.js';
