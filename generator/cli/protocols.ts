import { EXTENDS, EXTENSION_ID } from '../../generated/ext-tasks/protocol.js';
import type { Protocols, Validators } from '../validate/index.js';

type Exports = Omit<Validators, 'batches'>;

const withBatches = ({ wire, validateMessage }: Exports): Validators => ({
  wire,
  validateMessage,
  batches: true,
});
const singly = (exports: Exports): Validators => ({ ...withBatches(exports), batches: false });

/** All that messages can be checked against; each is loaded when it is first needed. */
export const PROTOCOLS = {
  revisions: {
    '2024-11-05': async () => singly(await import('../../generated/2024-11-05/validators.js')),
    '2025-03-26': async () => withBatches(await import('../../generated/2025-03-26/validators.js')),
    '2025-06-18': async () => singly(await import('../../generated/2025-06-18/validators.js')),
    '2025-11-25': async () => singly(await import('../../generated/2025-11-25/validators.js')),
    '2026-07-28': async () => singly(await import('../../generated/2026-07-28/validators.js')),
  },
  extensions: [
    {
      name: 'ext-tasks',
      id: EXTENSION_ID,
      extends: EXTENDS,
      wire: async () => (await import('../../generated/ext-tasks/validators.js')).wire,
    },
  ],
} as const satisfies Protocols;
