import { isObject } from '../../peer/wire/json.js';
import { boundsFor } from '../../transport/reading/bounds.js';
import { answeredIn, isMeantAsAnswer, MessageFault } from '../../transport/reading/envelope.js';
import { readJson, textOf } from '../../transport/reading/read-json.js';
import type { ClientTransport } from '../transport.js';
import type { Value } from './body.js';

/** The value of an event, or why there is none. */
export function valueIn(data: Uint8Array, most: number): Value | MessageFault {
  const read = readJson(data, boundsFor(most));
  if (read.code === undefined) return read;
  return new MessageFault(`The server sent a message that ${read.why}`, answeredIn(textOf(data)));
}

/** Whether a request ends by it. */
export function isAnswer(read: Value | MessageFault): boolean {
  if (read instanceof MessageFault) return read.answers !== undefined;
  const all: readonly unknown[] = Array.isArray(read.value) ? read.value : [read.value];
  return all.some((each) => isObject(each) && isMeantAsAnswer(each));
}

/** Gives it to the receiver, which judges it. A recording writes numbers as they were sent. */
export function receive(transport: ClientTransport, read: Value | MessageFault): void {
  if (read instanceof MessageFault) transport.onerror?.(read);
  else transport.onmessage?.(read.value as never, { json: read.text } as never);
}
