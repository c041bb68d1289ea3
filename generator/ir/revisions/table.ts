// Written by `npm run revisions` from schema/revisions.json. Do not edit.

/** The bundled schemas, oldest first; extensions last. */
export const REVISIONS = [
  '2024-11-05',
  '2025-03-26',
  '2025-06-18',
  '2025-11-25',
  '2026-07-28',
  'ext-tasks',
] as const;

export type Revision = (typeof REVISIONS)[number];

/** The newest revision. */
export const LATEST = '2026-07-28' as const;

/** The revision of a command that names none. */
export const DEFAULT_REVISION = '2026-07-28' as const;

/** The revision that defines each dialect's tasks. */
export const DIALECT_REVISIONS = { core: '2025-11-25', ext: '2026-07-28' } as const;

/** The revisions that servers and clients speak, oldest first. */
export const SPOKEN = {
  '2024-11-05': { dialect: 'core' },
  '2025-03-26': { dialect: 'core', batches: true },
  '2025-06-18': { dialect: 'core', strictCapabilities: true },
  '2025-11-25': { dialect: 'core', tasks: true, strictCapabilities: true },
  '2026-07-28': { dialect: 'ext', strictCapabilities: true },
} as const;

/** The revisions that each extension may be used with, oldest first. */
export const EXTENDED = { 'ext-tasks': ['2026-07-28'] } as const;
