import { createHmac, randomBytes } from 'node:crypto';
import { isRecord } from './record.js';
import { insideResult } from './shown.js';
import { maskText } from './text.js';
import { maskString, maskValue } from './value.js';
import type { Masking } from './value.js';

/** What stands for a secret in a recording. It is allowed in URIs. */
export const MARK = /\*masked:[0-9a-f]{8}\*/;
const WHOLE_MARK = new RegExp(`^${MARK.source}$`);

/** Whether a text of a recording contains a mark in place of a secret. */
export function isMasked(text: string): boolean {
  return MARK.test(text);
}

export interface MessageMasker {
  /** The same message where it contains no secret. `method` is the one that a result answers, if it is known. */
  readonly message: (message: unknown, method?: string) => unknown;
  readonly text: (text: string) => string;
}

/**
 * Masks the secrets of the messages of one recording so that `validate` judges them as before: a value keeps its type,
 * equal secrets have equal marks, and different ones have different marks. The key of the marks is not kept, so that
 * a short secret cannot be guessed from its mark. A mark stays as it is when it is recorded again.
 */
export function messageMasker(): MessageMasker {
  const key = randomBytes(16);
  const mark = (secret: string): string =>
    secret === '' || WHOLE_MARK.test(secret)
      ? secret
      : `*masked:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)}*`;
  const text = { mark, longest: Infinity };
  const masking: Masking = { text, hide: (secret) => hidden(secret, mark) };
  return {
    message: (message, method) => maskMessage(message, method, masking),
    text: (each) => maskString(each, masking),
  };
}

/** A secret of the same type. The keys of an object stay, so that a reader sees what was given. */
function hidden(secret: unknown, mark: (secret: string) => string): unknown {
  if (typeof secret === 'string') return mark(secret);
  if (typeof secret === 'number') return 0;
  if (typeof secret === 'boolean') return false;
  if (Array.isArray(secret)) return secret.map((each) => hidden(each, mark));
  if (!isRecord(secret)) return secret;
  const text = { mark, longest: Infinity };
  return Object.fromEntries(
    Object.entries(secret).map(([name, each]) => [maskText(name, text), hidden(each, mark)]),
  );
}

function maskMessage(message: unknown, method: string | undefined, masking: Masking): unknown {
  if (Array.isArray(message)) return message.map((each) => maskMessage(each, method, masking));
  if (!isRecord(message) || !Object.hasOwn(message, 'result')) {
    return maskValue(message, 'message', masking);
  }
  const others = { ...message, result: null };
  const maskedOthers = maskValue(others, 'message', masking);
  const result = maskValue(message['result'], insideResult(message['result'], method), masking);
  const isSame = maskedOthers === others && result === message['result'];
  return isSame ? message : { ...(maskedOthers as object), result };
}
