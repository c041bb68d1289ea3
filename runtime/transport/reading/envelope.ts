/**
 * Which request a message answers, read before the message is judged: an answer with a fault ends its request with the
 * reason. Values come as `readJson` reads them.
 */

type Message = Readonly<Record<string, unknown>>;

/** What is wrong at one place of a message. */
export interface Fault {
  /** A JSON Pointer (RFC 6901); empty for the whole message. */
  readonly pointer: string;
  readonly expected: string;
  /** Begins with the pointer. */
  readonly message: string;
}

/** What came in place of a message. */
export interface Stray {
  readonly received?: string;
  readonly isNoise?: boolean;
}

/**
 * What came is no message. A transport gives it to `onerror`, and a peer to `faulted`: it ends the request that it
 * answers. One that answers none is named in the error of the next time-out.
 */
export class MessageFault extends Error {
  override readonly name = 'MessageFault';
  /** The id of the request, if it can be read. */
  readonly answers: unknown;
  /** What was received instead of a message, where it can be shown. */
  readonly received: string | undefined;
  /** It may be a line of a log. */
  readonly isNoise: boolean;

  /** `why` is a sentence without its full stop. */
  constructor(why: string, answers?: unknown, { received, isNoise = false }: Stray = {}) {
    super(why);
    this.answers = answers;
    this.received = received;
    this.isNoise = isNoise;
  }
}

/** Whether a message has what only answers have. It may have a method as well: `answerFault` says so. */
export function isAnswer(message: Message): boolean {
  return 'result' in message || 'error' in message;
}

/**
 * Whether a message that has the id of an open request is meant as its answer. A request of the other side may have the
 * same id, and so may a line of a log.
 */
export function isMeantAsAnswer(message: Message): boolean {
  return isAnswer(message) || ('jsonrpc' in message && message['method'] === undefined);
}

/** What no definition says of an answer to the request with this id. */
export function answerFault(message: Message, id: string | number): Fault | undefined {
  if (message['method'] !== undefined) return faultAt('/method', 'absent from an answer');
  if (message['id'] !== id) {
    return faultAt('/id', `${JSON.stringify(id)}, as in the request`);
  }
  const isBoth = message['result'] !== undefined && message['error'] !== undefined;
  return isBoth ? faultAt('/error', 'absent where there is a result') : undefined;
}

function faultAt(pointer: string, expected: string): Fault {
  return { pointer, expected, message: `${pointer} must be ${expected}.` };
}

/** What an id may be meant as: some servers write a number as a text, or a text as a number. */
export function otherSpelling(id: unknown): string | number | undefined {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && /^(?:0|[1-9]\d{0,14})$/.test(id) ? Number(id) : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The id in a text that is no message. It may be the id of a request, or of the request that it answers. */
export interface Address {
  readonly id: string | number;
  readonly isRequest: boolean;
}

/** The id of the request that a text answers which is not JSON. */
export function answeredIn(text: string): string | number | undefined {
  const address = addressIn(text);
  return address?.isRequest === false ? address.id : undefined;
}

/**
 * The id in a text that is not JSON: one that is cut, nested too deeply, or has a wrong escape or a `NaN` in it. It has
 * to begin as a message does, because programs write other lines as well.
 */
export function addressIn(text: string): Address | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  let id: string | number | undefined;
  let [isMessage, isRequest, levels] = [false, false, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = endOfText(text, at);
      if (levels === 1) {
        const name = text.slice(at, end);
        isRequest ||= name === '"method"';
        isMessage ||= name === '"jsonrpc"';
        if (name === '"id"') id = idAt(text, end) ?? id;
      }
      at = end - 1;
    } else if (OPENING.has(character)) levels += 1;
    else if (CLOSING.has(character)) levels -= 1;
  }
  return isMessage && id !== undefined ? { id, isRequest } : undefined;
}

const OPENING: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSING: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** The id behind its name. */
function idAt(text: string, start: number): string | number | undefined {
  // Ids that this side has given are short.
  const [, id] =
    /^\s*:\s*(-?(?:0|[1-9]\d{0,15})|"[^"\\]{0,100}")\s*(?:[,}]|$)/.exec(
      text.slice(start, start + 200),
    ) ?? [];
  return id === undefined ? undefined : (JSON.parse(id) as string | number);
}

/** The index behind the quote that ends the text which begins here. */
export function endOfText(text: string, open: number): number {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote;
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote + 1;
  }
  return text.length;
}
