export { DIAGNOSTICS, DiagnosticError, jsonPointer, quote } from './diagnostic.js';
export type { Diagnostic, DiagnosticCode } from './diagnostic.js';
