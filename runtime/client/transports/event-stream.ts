import { MessageFault } from '../../transport/reading/envelope.js';
import { eventReader } from '../../transport/reading/events.js';
import { assertType, eachChunk, EVENT_STREAM, throwTooLong, type Value } from './body.js';
import { HttpError, NotMcp } from './errors.js';
import { isAnswer, valueIn } from './received.js';

interface StreamParts {
  readonly signal: AbortSignal;
  /** It belongs to no request: it is opened again without an id, too. */
  readonly isStandalone: boolean;
  /** Bytes of one message. */
  readonly most: number;
  /** Asks for the stream, or for the rest of it. */
  readonly request: (headers: Readonly<Record<string, string>>) => Promise<Response>;
  readonly receive: (read: Value | MessageFault) => void;
  /** No answer comes any more. */
  readonly end: (reason?: Error) => void;
}

const MOST_ATTEMPTS = 2;
/** Milliseconds for which a resumed stream has to last, or an event has to come, to be worth another attempt. */
const LASTING = 5_000;
/** Milliseconds before a stream is resumed whose server names no time: more with each attempt. */
const FIRST_WAIT = 1_000;

/** A stream of messages. One that ends before its answer is resumed, where its events have ids. */
export class EventStream {
  readonly #parts: StreamParts;
  /** Of the last event: a stream without ids cannot be resumed. */
  #lastId: string | undefined;
  #isAnswered = false;
  /** Attempts to resume it since it was open. */
  #attempts = 0;
  #retry: number | undefined;
  /** Why an event of it could not be read. */
  #problem: Error | undefined;

  constructor(parts: StreamParts) {
    this.#parts = parts;
  }

  /** Opens it, or resumes it. */
  async open(): Promise<void> {
    const { signal, isStandalone, request, end } = this.#parts;
    const id = this.#lastId;
    try {
      const last = id === undefined ? {} : { 'last-event-id': id };
      const response = await request({ accept: EVENT_STREAM, ...last });
      await assertType(response, EVENT_STREAM);
      await this.read(response);
    } catch (error) {
      if (signal.aborted) return;
      // A refusal of the server is not taken back. Servers need not have a stream that belongs to no request.
      const status = error instanceof HttpError ? error.status : 500;
      if (status === 405 && isStandalone) end();
      else if (status < 500 || error instanceof NotMcp) end(this.#problem ?? (error as Error));
      else this.#again(error as Error);
    }
  }

  async read(response: Response): Promise<void> {
    const { signal, isStandalone, most, end } = this.#parts;
    const lasts = setTimeout(() => (this.#attempts = 0), LASTING);
    const take = eventReader(most, {
      id: (id) => {
        if (id !== this.#lastId) this.#attempts = 0;
        this.#lastId = id;
      },
      retry: (ms) => (this.#retry = ms),
      tooLong: () => throwTooLong(most),
      event: ({ type, data }) => type === 'message' && data.length > 0 && this.#take(data),
    });
    try {
      await eachChunk(response, take, signal);
    } catch (error) {
      this.#problem = error as Error;
    } finally {
      clearTimeout(lasts);
    }
    if (signal.aborted) return;
    const mayResume = isStandalone || this.#lastId !== undefined;
    if (mayResume && !this.#isAnswered) this.#again(this.#problem);
    else end(this.#problem);
  }

  #take(data: Uint8Array): void {
    const read = valueIn(data, this.#parts.most);
    this.#isAnswered ||= isAnswer(read);
    if (read instanceof MessageFault) this.#problem = read;
    this.#parts.receive(read);
  }

  /** Waits, and resumes it. */
  #again(reason: Error | undefined): void {
    const { signal, isStandalone, end } = this.#parts;
    // With `retry`, a server that ends a stream asks for polling. The limit of silence ends the call that polls in vain.
    const isPolling = !isStandalone && reason === undefined && this.#retry !== undefined;
    if (!isPolling && this.#attempts >= MOST_ATTEMPTS) {
      const why = reason === undefined ? '' : `: ${reason.message}`;
      return end(new Error(`The stream could not be resumed${why}`, { cause: reason }));
    }
    const wait = this.#retry ?? FIRST_WAIT * 1.5 ** this.#attempts;
    this.#attempts += 1;
    const stop = (): void => clearTimeout(timer);
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      void this.open();
    }, wait);
    signal.addEventListener('abort', stop, { once: true });
  }
}
