import type { JsonObject } from '../../tasks/index.js';
import type { Answered, EventReply, EventSink, Reply } from '../incoming.js';
import type { Written } from './replies.js';

/** Where the answer to a request goes. Only the first call counts. */
export interface Outlet {
  end(answer: Written): void;
  /** The SDK gives the answer. */
  through(response: Promise<Response>): void;
  /** There will be no answer, because the client has cancelled the request. */
  cancel(): void;
  /** The connection ends without an answer. */
  abandon(): void;
}

/** The status that the SDK gives to requests whose client has disconnected. */
const NOT_ANSWERED = 499;

/** An answer in JSON. */
export class JsonOutlet implements Outlet {
  readonly answered: Promise<Answered>;
  readonly #reply: (text: string, code: number | undefined) => Reply;
  readonly #unanswered: () => EventOutlet | Response | undefined;
  #settle: (answered: Answered | Promise<Answered>) => void = () => undefined;
  #events: EventOutlet | undefined;

  /** `unanswered` makes the stream that takes the place of an answer; none where requests are not cancelled. */
  constructor(
    reply: (text: string, code: number | undefined) => Reply,
    unanswered: () => EventOutlet | Response | undefined = () => undefined,
  ) {
    this.#reply = reply;
    this.#unanswered = unanswered;
    this.answered = new Promise((resolve) => (this.#settle = resolve));
  }

  end({ text, code }: Written): void {
    this.#settle(this.#reply(text, code));
  }

  through(response: Promise<Response>): void {
    this.#settle(response);
  }

  cancel(): void {
    const instead = this.#unanswered();
    if (instead instanceof Response) this.#settle(instead);
    else if (instead !== undefined) this.#settle((this.#events = instead).reply());
  }

  abandon(): void {
    this.#events?.abandon();
    this.#settle(new Response(null, { status: NOT_ANSWERED }));
  }
}

/** An answer that goes out among others. */
export class PipeOutlet implements Outlet {
  readonly #send: (message: JsonObject, text: string) => void;

  constructor(send: (message: JsonObject, text: string) => void) {
    this.#send = send;
  }

  end({ message, text }: Written): void {
    this.#send(message, text);
  }

  through(): void {
    // The SDK has the same pipe.
  }

  cancel(): void {
    // The pipe stays open.
  }

  abandon(): void {
    // The pipe is closed.
  }
}

/** An answer as the only event of a stream. */
export class EventOutlet implements Outlet {
  readonly #headers: Readonly<Record<string, string>>;
  #sink: EventSink | undefined;
  #act: ((sink: EventSink) => void) | undefined;

  constructor(headers: Readonly<Record<string, string>>) {
    this.#headers = headers;
  }

  reply(): EventReply {
    const follow = (sink: EventSink): void => {
      this.#sink = sink;
      this.#act?.(sink);
    };
    return { status: 200, headers: this.#headers, follow };
  }

  end({ text }: Written): void {
    this.#do((sink) => sink.end(`event: message\ndata: ${text}\n\n`));
  }

  through(response: Promise<Response>): void {
    this.#do((sink) => {
      response.then(
        (each) => sink.through(each),
        () => sink.end(),
      );
    });
  }

  cancel(): void {
    // The stream stays open, as the SDK leaves it.
  }

  abandon(): void {
    this.#do((sink) => sink.end());
  }

  #do(act: (sink: EventSink) => void): void {
    if (this.#act !== undefined) return;
    this.#act = act;
    if (this.#sink !== undefined) act(this.#sink);
  }
}
