/** Reads messages from text or bytes, and makes the JSON-RPC error for an invalid one. */
import { finite, record } from './check.js';
import { judge, kindOf } from './message.js';
import type { Judged, Revision } from './message.js';
import { cut } from './report.js';
import type { ErrorCode, ErrorReply, Rejected, Undecoded, WireOptions } from './wire.js';

/** `noId` replaces the id of a request that could not be read. */
export function decodeMessage(
  revision: Revision,
  input: string | Uint8Array,
  options: WireOptions,
  noId: NoId,
): Judged | Undecoded {
  const parsed = parse(input);
  if (!parsed.ok) return answerable(parsed, undefined, noId);
  return answerable(judge(revision, parsed.value, options), parsed.value, noId);
}

export type NoId = { readonly id?: null };

type Parsed = { readonly ok: true; readonly value: unknown } | Rejected;

export function parse(input: string | Uint8Array): Parsed {
  const { TextDecoder } = globalThis as unknown as {
    readonly TextDecoder: new (
      label: string,
      options: { readonly fatal: boolean },
    ) => { decode(bytes: Uint8Array): string };
  };
  let text: string;
  try {
    text =
      typeof input === 'string' ? input : new TextDecoder('utf-8', { fatal: true }).decode(input);
  } catch {
    return unparsed('UTF-8', `${input.length} bytes`, 'The bytes are not UTF-8.');
  }
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch (error) {
    // Cuts the engine's error, because it may quote the text at any length.
    const why = cut((error as Error).message, 200);
    return unparsed('JSON', `a text ${text.length} long`, `The text is not JSON: ${why}.`);
  }
}

function unparsed(expected: string, received: string, message: string): Rejected {
  return { ok: false, code: -32700, errors: [{ pointer: '', expected, received, message }] };
}

/** Adds the reply to an invalid message, if JSON-RPC allows one. */
export function answerable(judged: Judged, value: unknown, noId: NoId): Judged | Undecoded {
  if (judged.ok) return judged;
  const message = record(value) ? value : {};
  const { method, id, result, error } = message;
  const answer = method === undefined && (result ?? error) !== undefined;
  if (answer || kindOf(message) === 'notification') return judged;
  const { code, errors } = judged;
  const text = errors[0] ? `${MESSAGES[code]}: ${errors[0].message}` : MESSAGES[code];
  const reply: ErrorReply = {
    jsonrpc: '2.0',
    ...(typeof id === 'string' || finite(id) ? { id } : noId),
    error: { code, message: text, data: { errors } },
  };
  return { ...judged, reply };
}

const MESSAGES: { readonly [code in ErrorCode]: string } = {
  [-32700]: 'Parse error',
  [-32600]: 'Invalid request',
  [-32601]: 'Method not found',
  [-32602]: 'Invalid params',
};
