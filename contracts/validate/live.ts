import { at } from './access.js';
import { announcementIn } from './announcement.js';
import { CORE_REVISION } from './codes/scopes.js';
import type { Party } from './direction.js';
import type { Finding } from './finding.js';
import { MessageChecker } from './message-checker.js';
import type { Library } from './library.js';
import { Tally } from './tally.js';

/** Checks the messages of a conversation while it goes on: a message is judged when it comes, by what came before. */
export class LiveConversation {
  readonly #library: Library;
  readonly #checker: MessageChecker;
  readonly #tally = new Tally();
  #findings: Finding[] = [];
  #count = 0;

  /** `name` stands in findings for the file; the number of the message stands for the line. */
  constructor(name: string, library: Library) {
    this.#library = library;
    this.#checker = new MessageChecker({
      file: name,
      library,
      tally: this.#tally,
      report: (finding) => this.#findings.push(finding),
      revision: undefined,
      extensions: [],
      from: undefined,
      isLive: true,
    });
  }

  /** The revision of the conversation, once it is negotiated. */
  get revision(): string | undefined {
    return this.#checker.spoken.revision;
  }

  /** The number of messages so far. */
  get count(): number {
    return this.#count;
  }

  /** The number of messages so far of which the revision is unknown. */
  get unchecked(): number {
    return this.#tally.counts.unchecked;
  }

  /** The findings about a message. */
  async judge(message: unknown, from: Party): Promise<readonly Finding[]> {
    const value = this.#inKnownRevision(message);
    await this.#prepareFor(value);
    this.#count += 1;
    this.#findings = [];
    this.#checker.unit({ value, from, line: this.#count, path: [], size: 0 });
    return this.#findings;
  }

  /** The findings about a batch as such, whose messages are judged one by one. */
  judgeBatch(length: number): readonly Finding[] {
    this.#findings = [];
    this.#checker.batch(length, { line: this.#count + 1, path: [] });
    return this.#findings;
  }

  /** Forgets a request of the client that its transport refused. It may be sent again. */
  withdraw(request: unknown): void {
    this.#checker.withdraw(at(request, 'id'));
  }

  /** The names of `inputResponses` in a request that no question of the server asked for. */
  unaskedIn(message: unknown): string[] {
    return this.#checker.unaskedIn(at(message, 'params'));
  }

  /** A client may propose a revision that is not known here, because the server's answer decides. */
  #inKnownRevision(message: unknown): unknown {
    const { proposed } = announcementIn(message);
    if (proposed === undefined || this.#library.knows(proposed)) return message;
    const { params, ...others } = message as { readonly params: object };
    return { ...others, params: { ...params, protocolVersion: CORE_REVISION } };
  }

  async #prepareFor(message: unknown): Promise<void> {
    const { own, settled, proposed, extensions: declared } = announcementIn(message);
    const named = own ?? settled ?? proposed;
    const revisions = named === undefined ? [] : [named];
    const extensions = [...this.#checker.spoken.extensions, ...declared];
    if (this.#library.has(revisions, extensions)) return;
    await this.#library.load(revisions, extensions);
  }
}
