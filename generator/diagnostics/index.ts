export {
  DIAGNOSTICS,
  DiagnosticError,
  jsonPointer,
  printable,
  printableLines,
  quote,
} from './diagnostic.js';
export type { Diagnostic, DiagnosticCode } from './diagnostic.js';
export { fileText } from './file-text.js';
export { jsonProblem } from './json-problem.js';
export { many } from './many.js';
export { nearest } from './nearest.js';
export { COLOURED, PLAIN } from './paint.js';
export type { Paint } from './paint.js';
export { renderDiagnostics } from './render.js';
export { sarifLog, sarifUri } from './sarif.js';
export { systemFailure } from './system-error.js';
export type { SystemFailure } from './system-error.js';
