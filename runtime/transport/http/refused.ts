import { ERROR_CODES } from '../../protocol/index.js';
import { refusal, type TextReply } from './reply.js';

/** Why a request is not served: an error with its status. */
export class Refused {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;

  constructor(status: number, code: number, message: string, data?: unknown) {
    this.status = status;
    this.code = code;
    this.message = message;
    this.data = data;
  }

  reply(id: unknown): TextReply {
    return refusal(this.status, this.code, this.message, { id, data: this.data });
  }
}

/** Headers and body contradict each other: who routed by the header saw another request than the one that is served. */
export function mismatch(header: string, body: string): Refused {
  const message = `Bad Request: the request headers and body disagree: ${body}`;
  return new Refused(400, ERROR_CODES.HeaderMismatch, message, { mismatch: { header, body } });
}

/** The value of a header without the blanks around it. */
export function trimmed(header: string | null): string | undefined {
  if (header === null) return undefined;
  let [start, end] = [0, header.length];
  while (start < end && isBlank(header, start)) start += 1;
  while (end > start && isBlank(header, end - 1)) end -= 1;
  return end - start === header.length ? header : header.slice(start, end);
}

function isBlank(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === 0x20 || unit === 0x09;
}
