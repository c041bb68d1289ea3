import { ERROR_CODES } from '../../../runtime/protocol.js';
import { RESOURCE_NOT_FOUND } from '../../../runtime/rules/messages.js';
import { at } from '../access.js';
import type { Breach } from '../finding.js';
import type { Dialect } from '../protocol.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Subject } from './subject.js';

/** Codes that JSON-RPC reserves. */
const RESERVED = { from: -32_768, to: -32_000 };
/** Codes of which the specification of MCP defines each. */
const OWN = { from: -32_099, to: -32_020 };
/** Codes of older revisions: an unknown resource, and a URL elicitation. */
const OLD: readonly unknown[] = [RESOURCE_NOT_FOUND, ERROR_CODES.URLElicitationRequired];

/** The codes of errors in revisions without sessions, which divide the reserved range. */
export class ErrorCodes implements Subject {
  answer({ message, result, dialect }: AnsweredRequest): readonly Breach[] {
    if (result !== undefined || !dialect.stateless) return NOTHING;
    const code = at(message, 'error', 'code');
    if (typeof code !== 'number' || !isIn(RESERVED, code) || isDefined(code, dialect))
      return NOTHING;
    const key = ['error', 'code'];
    if (isIn(OWN, code) || OLD.includes(code)) {
      const text = `The error code ${String(code)} is reserved, and ${dialect.revision} does not define it.`;
      return [{ code: 'reserved-error-code', message: text, key }];
    }
    const text = `The error code ${String(code)} is in the range that JSON-RPC reserves: use one outside -32768 to -32000.`;
    return [{ code: 'reserved-error-code', message: text, key, severity: 'warning' }];
  }
}

function isIn({ from, to }: typeof RESERVED, code: number): boolean {
  return from <= code && code <= to;
}

function isDefined(code: number, { validators, extensions }: Dialect): boolean {
  return [validators, ...extensions].some(({ tables }) =>
    Object.values(tables.errors).includes(code),
  );
}
