import { announcementIn } from './announcement.js';
import type { Party } from './direction.js';
import type { Finding } from './finding.js';
import { MessageChecker } from './message-checker.js';
import type { Library } from './library.js';
import { Tally } from './tally.js';

/** Checks the messages of a conversation while it goes on: a message is judged when it comes, by what came before. */
export class LiveConversation {
  readonly #library: Library;
  readonly #checker: MessageChecker;
  #findings: Finding[] = [];
  #count = 0;

  /** `name` stands in findings for the file; the number of the message stands for the line. */
  constructor(name: string, library: Library) {
    this.#library = library;
    this.#checker = new MessageChecker({
      file: name,
      library,
      tally: new Tally(),
      report: (finding) => this.#findings.push(finding),
      revision: undefined,
      extensions: [],
      from: undefined,
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

  /** The findings about a message. */
  async judge(message: unknown, from: Party): Promise<readonly Finding[]> {
    await this.#prepareFor(message);
    this.#count += 1;
    this.#findings = [];
    this.#checker.unit({ value: message, from, line: this.#count, path: [], size: 0 });
    // A client may propose a revision that is not known here: the server's answer decides.
    const { proposed } = announcementIn(message);
    return this.#findings.filter(
      ({ code }) => code !== 'unknown-revision' || proposed === undefined,
    );
  }

  /** The findings about a batch as such, whose messages are judged one by one. */
  judgeBatch(length: number): readonly Finding[] {
    this.#findings = [];
    this.#checker.batch(length, { line: this.#count + 1, path: [] });
    return this.#findings;
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
