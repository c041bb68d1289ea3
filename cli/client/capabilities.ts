import type { DeclaredCapabilities } from '../../runtime/client/index.js';
import { TASKS_EXTENSION } from '../../runtime/rules/messages.js';
import type { Settings } from './settings.js';

/**
 * The capabilities that are declared to servers: forms, addresses and tasks. Replies in place of a language model
 * and folders only where the user offers them, because servers learn of the machine from them.
 */
export function capabilitiesOf({
  sampling,
  roots,
}: Pick<Settings, 'sampling' | 'roots'>): DeclaredCapabilities {
  return {
    elicitation: { form: {}, url: {} },
    ...(sampling && { sampling: {} }),
    ...(roots.length > 0 && { roots: {} }),
    // Calls may become tasks in revision 2026-07-28. The core dialect needs no declaration for that.
    ...TASKS_EXTENSION,
  };
}
