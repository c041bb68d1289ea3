import { DiagnosticError } from '../../diagnostics/index.js';
import type { DiagnosticCode } from '../../diagnostics/index.js';

/** The error of a document of which nothing is read. */
export function refusal(
  code: DiagnosticCode,
  message: string,
  pointer: string,
  help?: string,
): DiagnosticError {
  return new DiagnosticError([
    { code, severity: 'error', message, pointer, ...(help && { help }) },
  ]);
}

/** `12,000`. */
export const inEnglish = (count: number): string => count.toLocaleString('en');
