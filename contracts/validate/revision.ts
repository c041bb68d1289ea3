import type { Announcement } from './announcement.js';
import type { Library } from './library.js';
import type { Dialect } from './protocol.js';

/** The revision of a conversation with its active extensions, as its messages announce them. */
export class Revision {
  /** That of messages that do not name one. It may be unknown. */
  revision: string | undefined;
  readonly extensions: Set<string>;
  /** What the client proposed. It may go on before the answer, and then speaks this revision. */
  #proposed: string | undefined;
  /** The dialect of the last message, with the number of extensions that were active. */
  #last: { readonly dialect: Dialect; readonly extensions: number } | undefined;

  /** `given`: the revision of all messages, whatever they announce. */
  constructor(
    readonly library: Library,
    readonly given: string | undefined,
    extensions: readonly string[],
  ) {
    this.revision = given;
    this.extensions = new Set(extensions);
  }

  /** The dialect of messages that do not name a revision. */
  get dialect(): Dialect | undefined {
    return this.#dialectOf(this.revision ?? this.#proposed);
  }

  /** Notes that a message declares an extension. */
  declare(id: string): void {
    if (this.library.protocols.extensions.some((known) => known.id === id)) this.extensions.add(id);
  }

  /** The dialect of a message with these announcements, which may also set that of later ones. */
  settle(announced: Partial<Announcement>, fallback: string | undefined): Dialect | undefined {
    const { own, settled, proposed } = this.given === undefined ? announced : {};
    this.revision = own ?? settled ?? this.revision;
    const known = this.library.knows(proposed) ? proposed : undefined;
    this.#proposed = known ?? this.#proposed;
    return this.#dialectOf(own ?? settled ?? known ?? fallback ?? this.revision ?? this.#proposed);
  }

  #dialectOf(revision: string | undefined): Dialect | undefined {
    const last = this.#last;
    if (last?.dialect.revision === revision && last?.extensions === this.extensions.size) {
      return last?.dialect;
    }
    const dialect = this.library.dialect(revision, this.extensions);
    if (dialect) this.#last = { dialect, extensions: this.extensions.size };
    return dialect;
  }
}
