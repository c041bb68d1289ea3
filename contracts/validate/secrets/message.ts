import { createHmac, randomBytes } from 'node:crypto';
import { isRecord } from './record.js';
import { insideResult } from './shown.js';
import { maskText } from './text.js';
import type { Mark } from './text.js';
import { maskString, maskValue } from './value.js';
import type { Masking } from './value.js';

/** What stands for a secret in a recording. It is allowed in URIs. */
export const MARK = /\*masked:[0-9a-f]{8}\*/;
const WHOLE_MARK = new RegExp(`^${MARK.source}$`);

/** Whether a text of a recording contains a mark in place of a secret, or is one. */
export function isMasked(text: string, as: 'in part' | 'as a whole' = 'in part'): boolean {
  return (as === 'in part' ? MARK : WHOLE_MARK).test(text);
}

export interface MessageMasker {
  /** The same message where it contains no secret. `method` is the one that a result answers, if it is known. */
  readonly message: (message: unknown, method?: string) => unknown;
  readonly text: (text: string) => string;
  /**
   * The text with its secrets as others of the same shape: a letter for each letter, a digit for each digit, all else as it
   * is. `isWhole`: all of it is a secret. Each turn has other ones; equal secrets have equal ones.
   */
  readonly alike: (text: string, isWhole: boolean, turn: number) => string;
  /** A number for a value, from 0 to 1, that tells nothing of it. */
  readonly lot: (secret: string) => number;
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
  const maskingBy = (by: Mark): Masking => ({
    text: { mark: by, longest: Infinity },
    hide: (secret) => hidden(secret, by),
  });
  const masking = maskingBy(mark);
  const bytesOf = (salt: string, secret: string | Buffer): Buffer =>
    createHmac('sha256', key).update(salt).update(secret).digest();
  return {
    message: (message, method) => maskMessage(message, method, masking),
    text: (each) => maskString(each, masking),
    alike(each, isWhole, turn) {
      const shaped: Mark = (secret) => {
        const own = bytesOf(`${String(turn)} `, secret);
        return ofShape(secret, (block) => bytesOf(`${String(block)} `, own));
      };
      return isWhole ? shaped(each) : maskString(each, maskingBy(shaped));
    },
    lot: (secret) => bytesOf('lot ', secret).readUInt32LE() / 2 ** 32,
  };
}

const DIGITS = '0123456789';
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** A text of the same shape, by random bytes in blocks of 32. */
function ofShape(secret: string, randomOf: (block: number) => Buffer): string {
  // In a UUID, a letter is a digit.
  const letters = /[g-z]/i.test(secret) ? LETTERS : LETTERS.slice(0, 6);
  let block: Uint8Array = new Uint8Array();
  let count = 0;
  return secret.replace(/[\p{L}\p{N}]/gu, (character) => {
    if (count % 32 === 0) block = randomOf(count / 32);
    const all = /\p{N}/u.test(character) ? DIGITS : letters;
    const one = all[(block[count++ % 32] ?? 0) % all.length] ?? '';
    return /\p{Lu}/u.test(character) ? one.toUpperCase() : one;
  });
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
