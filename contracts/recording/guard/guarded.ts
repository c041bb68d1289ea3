import { intercepted } from '../index.js';
import type { AnyTransport } from '../index.js';
import { other } from '../../validate/index.js';
import type { Party } from '../../validate/index.js';
import { createGuard } from './guard.js';
import type { GuardOptions } from './guard.js';

export interface GuardedOptions extends Omit<GuardOptions, 'recording'> {
  /** The side whose transport this is (default: `client`). */
  readonly side?: Party;
}

/** What transports of the official SDK have for errors. */
interface Reporting {
  readonly onerror?: (error: Error) => void;
}

/** A transport whose messages are judged in both directions, and refused with `enforce`. */
export function guarded<T extends AnyTransport>(transport: T, options: GuardedOptions): T {
  const { side = 'client' } = options;
  const guard = createGuard(options);
  let session = 0;
  const see = async (from: Party, message: unknown) => await guard.see({ from, session, message });
  // What `onFinding` throws must not end the program.
  const fail = (error: unknown): void => (transport as Reporting).onerror?.(error as Error);
  return intercepted(transport, {
    start() {
      session += 1;
    },
    async send(message, pass, back) {
      const seen = see(side, message);
      if (!guard.holds) {
        seen.catch(fail);
        return await pass(message);
      }
      const ruling = await seen;
      if (!ruling) return await pass(message);
      if (ruling.instead !== undefined) await pass(ruling.instead);
      if (ruling.back !== undefined) back(ruling.back);
    },
    receive(message, pass, back) {
      const seen = see(other(side), message);
      if (!guard.holds) {
        seen.catch(fail);
        pass(message);
        return;
      }
      seen
        .then((ruling) => {
          if (!ruling) pass(message);
          else if (ruling.instead !== undefined) pass(ruling.instead);
          // The connection may have been closed meanwhile.
          if (ruling?.back !== undefined) back(ruling.back).catch(() => undefined);
        })
        .catch(fail);
    },
    closed: () => undefined,
  });
}
