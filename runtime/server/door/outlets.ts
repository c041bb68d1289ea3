import type { Answered, EventReply, EventSink, Reply } from '../incoming.js';

/** Where the answer to a request goes. Only the first call counts. */
export interface Outlet {
  /** The answer, as text. */
  end(text: string, code: number | undefined): void;
  /** The SDK gives the answer. */
  through(response: Promise<Response>): void;
  /** The connection ends without an answer. */
  abandon(): void;
}

/** The status that the SDK gives to requests whose client has disconnected. */
const NOT_ANSWERED = 499;

/** An answer in JSON. */
export class JsonOutlet implements Outlet {
  readonly answered: Promise<Answered>;
  readonly #reply: (text: string, code: number | undefined) => Reply;
  #settle: (answered: Answered | Promise<Answered>) => void = () => undefined;

  constructor(reply: (text: string, code: number | undefined) => Reply) {
    this.#reply = reply;
    this.answered = new Promise((resolve) => (this.#settle = resolve));
  }

  end(text: string, code: number | undefined): void {
    this.#settle(this.#reply(text, code));
  }

  through(response: Promise<Response>): void {
    this.#settle(response);
  }

  abandon(): void {
    this.#settle(new Response(null, { status: NOT_ANSWERED }));
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

  end(text: string): void {
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

  abandon(): void {
    this.#do((sink) => sink.end());
  }

  #do(act: (sink: EventSink) => void): void {
    if (this.#act !== undefined) return;
    this.#act = act;
    if (this.#sink !== undefined) act(this.#sink);
  }
}
