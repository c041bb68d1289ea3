import type { Admission } from './access.js';
import type { Answer } from './answer.js';

/** After which a token that was revoked, and has not expired, is noticed at the latest. */
const LOOK_MS = 15_000;

/**
 * Calls `end` when a request that goes on would be refused now: its token expired, or was revoked. While that cannot be
 * found out the request goes on, until the token expires. Returns what ends the watch.
 */
export function watchAdmission(
  { until }: Admission,
  admit: () => Promise<Admission | Answer>,
  end: () => void,
): () => void {
  if (until === undefined) return () => undefined;
  let isOver = false;
  let timer: NodeJS.Timeout;

  function wait(expiry: number): void {
    const pause = Math.max(0, Math.min(LOOK_MS, expiry - Date.now()));
    timer = setTimeout(() => void look(expiry), pause).unref();
  }

  async function look(expiry: number): Promise<void> {
    const found = await admit().catch(() => undefined);
    if (isOver) return;
    if (isRefusal(found) || Date.now() >= expiry) end();
    else wait(expiry);
  }

  wait(until);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function isRefusal(found: Admission | Answer | undefined): boolean {
  return found !== undefined && 'status' in found && (found.status === 401 || found.status === 403);
}
