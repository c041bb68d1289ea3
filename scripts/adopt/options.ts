import { parseArgs } from 'node:util';

/** What the command line asks for. */
export interface Asked {
  /** Absent where the descriptions are only applied again. */
  readonly adoption?: Adoption;
  /** Print what would be done, and write nothing. */
  readonly dryRun: boolean;
  /** Write `schema/` alone. */
  readonly schemaOnly: boolean;
}

/** An official file, where it comes from, and the name that its revision gets. */
export interface Adoption {
  readonly revision: string;
  readonly file: string;
  readonly repository: string;
  readonly path: string;
  readonly commit: string;
  /** The revision that an extension is layered over. */
  readonly extends?: string;
  /** The id that both sides declare to use an extension. */
  readonly extension?: string;
}

export const USAGE = `Usage:
  npm run adopt-schema
  npm run adopt-schema -- <revision> <file> --repository <url> --path <path> --commit <hash>
                          [--extends <revision> --extension <id>] [--dry-run] [--schema-only]

Without arguments, the descriptions in schema/ are applied to every bundled schema again.
--extends      the revision that an extension is layered over (default: that of the bundled extension
               whose draft the file is)
--extension    the id that both sides declare to use the extension (default: likewise)
--dry-run      print what would be done, and write nothing
--schema-only  write schema/ alone, without the code and the pages that follow from it`;

/** A problem with the command line. */
export class UsageError extends Error {}

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): Asked {
  const { values, positionals } = parsed(args);
  const { 'dry-run': dryRun = false, 'schema-only': schemaOnly = false, ...named } = values;
  const [revision, file, ...surplus] = positionals;
  if (positionals.length === 0 && Object.keys(named).length === 0) return { dryRun, schemaOnly };
  const { repository, path, commit, extends: base, extension } = named;
  if (!revision || !file || !repository || !path || !commit || surplus.length > 0) {
    throw new UsageError('Either all of these are needed, or nothing.');
  }
  if (!/^[a-z0-9-]+$/.test(revision)) {
    throw new UsageError(`"${revision}" cannot name a folder: use a-z, 0-9 and "-".`);
  }
  const layer = {
    ...(base !== undefined && { extends: base }),
    ...(extension !== undefined && { extension }),
  };
  return { adoption: { revision, file, repository, path, commit, ...layer }, dryRun, schemaOnly };
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const where = { repository: text, path: text, commit: text, extends: text, extension: text };
  const options = { ...where, 'dry-run': flag, 'schema-only': flag };
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
