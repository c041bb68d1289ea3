// Written by `npm run revisions` from schema/revisions.json. Do not edit.

/** The revision in which the messages of each dialect are written. */
export const DIALECT_VERSIONS = { core: '2025-11-25', ext: '2026-07-28' } as const;

/** The revisions that servers and clients speak, newest first. `tasks`: their own messages include tasks. `batches`: several messages may come in a list. */
export const REVISIONS = {
  '2026-07-28': { dialect: 'ext', tasks: false, batches: false },
  '2025-11-25': { dialect: 'core', tasks: true, batches: false },
  '2025-06-18': { dialect: 'core', tasks: false, batches: false },
  '2025-03-26': { dialect: 'core', tasks: false, batches: true },
  '2024-11-05': { dialect: 'core', tasks: false, batches: false },
} as const;

/** A revision that servers and clients speak. */
export type RevisionVersion = keyof typeof REVISIONS;

/** Their names, for `supportedProtocolVersions` of a client. */
export const PROTOCOL_VERSIONS = [
  '2026-07-28',
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
] as const;
