import type { ClientIo } from './io.js';
import type { Prompter } from './prompter.js';
import type { CallHandle, ToolResult } from '../../runtime/client/index.js';

export interface FollowOptions {
  readonly io: ClientIo;
  readonly prompter: Prompter;
}

/**
 * Waits for a call. At Ctrl-C the user chooses whether the task is cancelled or left running, and may leave it
 * at one of its questions.
 * `undefined`: it was left running. Rejects with a `CallError`.
 */
export async function follow(
  handle: CallHandle,
  { io, prompter }: FollowOptions,
): Promise<ToolResult | undefined> {
  const over = new AbortController();
  let leave = (): void => undefined;
  const left = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
  });
  const stopLeaving = prompter.onLeave(() => leave());
  let asking = false;
  const stopListening = io.onInterrupt(() => {
    if (asking) return;
    asking = true;
    void decide().finally(() => (asking = false));
  });

  async function decide(): Promise<void> {
    const choice = await prompter.stop(over.signal);
    if (over.signal.aborted || choice === 'go on') return;
    if (choice === 'detach') leave();
    // The result shows whether the server cancelled it.
    else await handle.cancel().catch(() => undefined);
  }

  const result = handle.result();
  result.catch(() => undefined);
  try {
    return await Promise.race([result, left]);
  } finally {
    over.abort();
    stopListening();
    stopLeaving();
  }
}
