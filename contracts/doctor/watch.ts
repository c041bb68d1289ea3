import { MessageFault } from '../../runtime/transport/reading/envelope.js';
import { intercepted } from '../recording/index.js';
import type { AnyTransport } from '../recording/index.js';
import { isId, isRecord, LiveConversation } from '../validate/index.js';
import type { Finding, Library, Party } from '../validate/index.js';

type Message = Readonly<Record<string, unknown>>;

/** A finding of `validate` about a message of the server. */
export interface Judged {
  readonly finding: Finding;
  readonly message: unknown;
  readonly revision: string | undefined;
}

/** What is no message. */
interface Stray {
  /** A sentence without its full stop. */
  readonly message: string;
  readonly received: string | undefined;
}

interface Seen {
  readonly from: Party;
  readonly message: Message;
}

type Watched = AnyTransport & { readonly kind?: string };

/** The last messages that are kept. */
const KEPT = 100;
/** Findings of one connection. */
const MOST_FINDINGS = 1_000;

/** Looks at the messages of one connection: judges those of the server, and keeps what shows what it does. */
export class Watch {
  /** Messages of the server, and those of both sides. */
  answered = 0;
  messages = 0;
  readonly findings: Judged[] = [];
  /** What came instead of messages. */
  readonly strays: Stray[] = [];
  /** The first message of each method that the server asked or notified, and the first answer to each method. */
  readonly asked = new Map<string, Message>();
  readonly answers = new Map<string, Message>();
  /** The first error in answer to each method, and of each code. */
  readonly refusals = new Map<string, Message>();
  readonly errors = new Map<unknown, Message>();
  readonly #library: Library;
  readonly #open = new Map<unknown, string>();
  #last: Seen[] = [];
  #judged: Promise<void> = Promise.resolve();
  #session = 0;
  #kind: string | undefined;

  constructor(library: Library) {
    this.#library = library;
  }

  /** As the transport names itself: `http`, `sse` or `pipe`. */
  get kind(): string | undefined {
    return this.#kind;
  }

  /** A transport whose messages are watched. A server that is started again begins another conversation. */
  through<T extends Watched>(transport: T): T {
    let rules = this.#conversation();
    return intercepted(transport, {
      start: () => {
        rules = this.#conversation();
        this.#kind = transport.kind;
      },
      send: (message, pass) => {
        this.#see(message, 'client', rules);
        return pass(message);
      },
      receive: (message, pass) => {
        this.#see(message, 'server', rules);
        pass(message);
      },
      closed: () => undefined,
      failed: (error) => {
        if (!(error instanceof MessageFault)) return;
        const { received, isNoise } = error;
        const message = isNoise ? 'The server sent a line that is no message' : error.message;
        this.#stray({ message, received });
      },
    });
  }

  /** Resolves when all messages so far are judged. */
  async settled(): Promise<void> {
    await this.#judged;
  }

  /** The last request of a method, and what came since. */
  exchange(method: string): readonly Message[] {
    const from = this.#last.findLastIndex(({ message }) => message['method'] === method);
    if (from < 0) return [];
    const since = this.#last.slice(from).map(({ message }) => message);
    const [request] = since;
    const answer = since.find(
      (message) => message['method'] === undefined && message['id'] === request?.['id'],
    );
    return [request, answer].filter((message) => message !== undefined);
  }

  /** The last message of the server. */
  get lastReceived(): Message | undefined {
    return this.#last.findLast(({ from }) => from === 'server')?.message;
  }

  /** The last requests of the client that have no answer. */
  get lastAsked(): readonly Message[] {
    const requests = this.#last.filter(
      ({ from, message }) => from === 'client' && isId(message['id']),
    );
    return requests.slice(-2).map(({ message }) => message);
  }

  #conversation(): LiveConversation {
    this.#session += 1;
    this.#open.clear();
    return new LiveConversation(`session ${String(this.#session)}`, this.#library);
  }

  #stray(stray: Stray): void {
    if (this.strays.length < KEPT) this.strays.push(stray);
  }

  #see(value: unknown, from: Party, rules: LiveConversation): void {
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      this.messages += 1;
      if (isRecord(message)) this.#keep(message, from);
      this.#judged = this.#judged.then(() => this.#judge(message, from, rules));
    }
  }

  #keep(message: Message, from: Party): void {
    this.#last = [...this.#last.slice(1 - KEPT), { from, message }];
    const { method, id } = message;
    if (from === 'client') {
      if (typeof method === 'string' && isId(id)) this.#open.set(id, method);
      return;
    }
    this.answered += 1;
    if (typeof method === 'string') {
      setFirst(this.asked, method, message);
      return;
    }
    const request = this.#open.get(id);
    this.#open.delete(id);
    if (isRecord(message['error'])) {
      setFirst(this.errors, message['error']['code'], message);
      if (request !== undefined) setFirst(this.refusals, request, message);
    } else if (request !== undefined) setFirst(this.answers, request, message);
  }

  async #judge(message: unknown, from: Party, rules: LiveConversation): Promise<void> {
    try {
      const found = await rules.judge(message, from);
      if (from === 'client' || this.findings.length >= MOST_FINDINGS) return;
      const { revision } = rules;
      for (const finding of found) this.findings.push({ finding, message, revision });
    } catch (error) {
      // It nests too deeply for the stack.
      if (!(error instanceof RangeError)) throw error;
    }
  }
}

function setFirst<K, V>(map: Map<K, V>, key: K, value: V): void {
  if (map.size < KEPT && !map.has(key)) map.set(key, value);
}
