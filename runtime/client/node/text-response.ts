/** Statuses whose responses have no body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

type BodyMember =
  'body' | 'bodyUsed' | 'text' | 'json' | 'arrayBuffer' | 'bytes' | 'blob' | 'formData' | 'clone';
/** `Response`, whose declaration has these members as properties, which no method may override. */
const EmptyResponse = Response as unknown as new (
  body: null,
  parts: ResponseParts,
) => Omit<Response, BodyMember>;

/**
 * A response whose body has arrived. `Response` would make a stream of it and read that again, which takes longer than
 * the rest of a small answer.
 */
export class TextResponse extends EmptyResponse {
  /** For the client's transport, which then reads no stream. */
  readonly isWhole = true;
  readonly #text: string;
  #isRead = false;
  /** Made for everything but `text` and `json`. */
  #whole: Response | undefined;

  constructor(text: string, parts: ResponseParts) {
    super(null, parts);
    this.#text = text;
  }

  get body(): Response['body'] {
    return this.#response().body;
  }

  get bodyUsed(): boolean {
    return this.#whole?.bodyUsed ?? this.#isRead;
  }

  async text(): Promise<string> {
    if (this.#isRead || this.#whole !== undefined) return this.#response().text();
    this.#isRead = true;
    return this.#text;
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown;
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#response().arrayBuffer();
  }

  /** Newer than Node.js 20. */
  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  blob(): Promise<Blob> {
    return this.#response().blob();
  }

  formData(): Promise<FormData> {
    return this.#response().formData();
  }

  clone(): Response {
    return this.#response().clone();
  }

  #response(): Response {
    if (this.#whole !== undefined) return this.#whole;
    const { status, statusText, headers } = this;
    const text = NO_BODY.has(status) ? null : this.#text;
    this.#whole = new Response(text, { status, statusText, headers });
    // From now on it refuses to be read, as a body does that has been read.
    if (this.#isRead) void this.#whole.text();
    return this.#whole;
  }
}

export interface ResponseParts {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
}
