import * as protocol20241105 from '../../generated/2024-11-05/protocol.js';
import * as protocol20250326 from '../../generated/2025-03-26/protocol.js';
import * as protocol20250618 from '../../generated/2025-06-18/protocol.js';
import * as protocol20251125 from '../../generated/2025-11-25/protocol.js';
import * as protocol20260728 from '../../generated/2026-07-28/protocol.js';
import * as protocolExtTasks from '../../generated/ext-tasks/protocol.js';
import type { Definitions, Protocols, Validators, Verdict } from '../validate/index.js';

interface TableExports {
  readonly REQUESTS: Definitions['tables']['requests'];
  readonly NOTIFICATIONS: Definitions['tables']['notifications'];
  readonly ERROR_CODES: Definitions['tables']['errors'];
}

type Check = (value: unknown, options: { readonly maxErrors: number }) => Verdict;

/** The exports of a revision's folder; `definition` finds a validator by its name. */
function definitionsOf<T extends Pick<Definitions, 'wire'>>(
  validators: T,
  { REQUESTS, NOTIFICATIONS, ERROR_CODES }: TableExports,
): T & Definitions {
  const byName: Readonly<Record<string, unknown>> = { ...validators };
  return {
    ...validators,
    tables: { requests: REQUESTS, notifications: NOTIFICATIONS, errors: ERROR_CODES },
    definition: (name) => {
      const check = Object.hasOwn(byName, `validate${name}`)
        ? byName[`validate${name}`]
        : undefined;
      return typeof check === 'function' ? (check as Check) : undefined;
    },
  };
}

function revision(
  validators: Pick<Validators, 'wire' | 'validateMessage'>,
  tables: TableExports,
  batches = false,
): Validators {
  return { ...definitionsOf(validators, tables), batches };
}

/** The validators of all revisions. Each revision's are loaded at their first use. */
export const PROTOCOLS = {
  revisions: {
    '2024-11-05': async () =>
      revision(await import('../../generated/2024-11-05/validators.js'), protocol20241105),
    '2025-03-26': async () =>
      revision(await import('../../generated/2025-03-26/validators.js'), protocol20250326, true),
    '2025-06-18': async () =>
      revision(await import('../../generated/2025-06-18/validators.js'), protocol20250618),
    '2025-11-25': async () =>
      revision(await import('../../generated/2025-11-25/validators.js'), protocol20251125),
    '2026-07-28': async () =>
      revision(await import('../../generated/2026-07-28/validators.js'), protocol20260728),
  },
  extensions: [
    {
      name: 'ext-tasks',
      id: protocolExtTasks.EXTENSION_ID,
      extends: protocolExtTasks.EXTENDS,
      load: async () =>
        definitionsOf(await import('../../generated/ext-tasks/validators.js'), protocolExtTasks),
    },
  ],
} as const satisfies Protocols;
