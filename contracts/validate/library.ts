import { dialectOf } from './protocol.js';
import type { Definitions, Dialect, Protocols, SchemaCheck, Validators } from './protocol.js';

/** Loads revisions and extensions on demand. */
export class Library {
  #validators = new Map<string, Validators>();
  #extensions = new Map<string, Definitions>();
  #dialects = new Map<string, Dialect>();

  /** What compares values with the schemas in messages. It is loaded with the first revision. */
  schemaCheck: SchemaCheck | undefined;

  constructor(readonly protocols: Protocols) {}

  /** The known versions. */
  get revisions(): string[] {
    return Object.keys(this.protocols.revisions);
  }

  knows(revision: string | undefined): revision is string {
    return revision !== undefined && Object.hasOwn(this.protocols.revisions, revision);
  }

  /** Whether the known ones among these are loaded. */
  has(revisions: readonly string[], extensionIds: Iterable<string>): boolean {
    return (
      revisions.every((name) => !this.knows(name) || this.#validators.has(name)) &&
      this.#known(extensionIds).every(({ id }) => this.#extensions.has(id))
    );
  }

  async load(revisions: readonly string[], extensionIds: Iterable<string>): Promise<void> {
    this.schemaCheck ??= await this.protocols.loadSchemaCheck?.();
    for (const name of revisions) {
      const make = this.knows(name) ? this.protocols.revisions[name] : undefined;
      if (make && !this.#validators.has(name)) this.#validators.set(name, await make());
    }
    for (const { id, load } of this.#known(extensionIds)) {
      if (!this.#extensions.has(id)) this.#extensions.set(id, await load());
    }
  }

  /** A revision with its active extensions; `undefined` when it is unknown. */
  dialect(revision: string | undefined, extensionIds: Iterable<string>): Dialect | undefined {
    const validators = revision === undefined ? undefined : this.#validators.get(revision);
    if (revision === undefined || !validators) return undefined;
    const extensions = this.#known(extensionIds).filter(
      (extension) => extension.extends.includes(revision) && this.#extensions.has(extension.id),
    );
    const key = [revision, ...extensions.map(({ id }) => id)].join(' ');
    const cached = this.#dialects.get(key);
    if (cached) return cached;
    const loaded = extensions.flatMap(({ id }) => this.#extensions.get(id) ?? []);
    const dialect = dialectOf(revision, validators, loaded);
    this.#dialects.set(key, dialect);
    return dialect;
  }

  #known(ids: Iterable<string>): Protocols['extensions'] {
    const wanted = new Set(ids);
    return this.protocols.extensions.filter(({ id }) => wanted.has(id));
  }
}
