import type { Dialect, Protocols, Validators, Wire } from './protocol.js';

/** The revisions and extensions that were needed so far. */
export class Library {
  #validators = new Map<string, Validators>();
  #wires = new Map<string, Wire>();

  constructor(readonly protocols: Protocols) {}

  /** The versions that messages may name. */
  get revisions(): string[] {
    return Object.keys(this.protocols.revisions);
  }

  knows(revision: string | undefined): revision is string {
    return revision !== undefined && Object.hasOwn(this.protocols.revisions, revision);
  }

  /** Whether all of these that are known at all are loaded. */
  has(revisions: readonly string[], extensionIds: Iterable<string>): boolean {
    return (
      revisions.every((name) => !this.knows(name) || this.#validators.has(name)) &&
      this.#extensions(extensionIds).every(({ id }) => this.#wires.has(id))
    );
  }

  async load(revisions: readonly string[], extensionIds: Iterable<string>): Promise<void> {
    for (const name of revisions) {
      const make = this.knows(name) ? this.protocols.revisions[name] : undefined;
      if (make && !this.#validators.has(name)) this.#validators.set(name, await make());
    }
    for (const { id, wire } of this.#extensions(extensionIds)) {
      if (!this.#wires.has(id)) this.#wires.set(id, await wire());
    }
  }

  /** A revision with those extensions that add to it; `undefined` when it is not known. */
  dialect(revision: string | undefined, extensionIds: Iterable<string>): Dialect | undefined {
    const validators = revision === undefined ? undefined : this.#validators.get(revision);
    if (revision === undefined || !validators) return undefined;
    const extensions = this.#extensions(extensionIds)
      .filter((extension) => extension.extends === revision)
      .flatMap(({ id }) => this.#wires.get(id) ?? []);
    return { revision, validators, extensions };
  }

  #extensions(ids: Iterable<string>): Protocols['extensions'] {
    const wanted = new Set(ids);
    return this.protocols.extensions.filter(({ id }) => wanted.has(id));
  }
}
