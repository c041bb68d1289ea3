import { unanswered } from '../asker.js';
import { shownServer } from '../connect.js';
import { isOver } from '../failure.js';
import type { CallHandle, TaskState } from '../mcp/index.js';
import type { KeptTask } from '../references.js';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import { resultText, table } from '../text.js';
import { finish } from './call.js';

/** `tasks list`: what is kept, without asking any server. */
export async function listTasks({ references }: Session): Promise<Outcome> {
  const tasks = await references.list();
  const rows = tasks.map(({ id, tool, startedAt, server }) => [
    id,
    tool,
    startedAt,
    shownServer(server),
  ]);
  return done(rows.length === 0 ? 'No tasks are kept.\n' : table(rows), { tasks });
}

/** `tasks get`: how a task is now, with its result if there is one. */
export async function getTask(session: Session, id: string): Promise<Outcome> {
  return await taken(session, id, false, async (handle, kept) => {
    const { state } = handle;
    const ended = handle.status === 'completed' || handle.status === 'failed';
    const result = ended ? await handle.result() : undefined;
    const text = `${stateText(handle)}\n${result ? resultText(result) : ''}`;
    return done(text, { task: kept, state, ...(result && { result }) });
  });
}

/** `tasks watch`: each state of a task, until it ends. Questions are left to others. */
export async function watchTask(session: Session, id: string): Promise<Outcome> {
  return await taken(session, id, false, async (handle, kept) => {
    const stopped = new Promise<undefined>((resolve) => {
      session.io.onInterrupt(() => resolve(undefined));
    });
    const states: TaskState[] = [];
    const watched = (async () => {
      for await (const state of handle) {
        states.push(state);
        session.io.messages.write(`${stateText(handle)}\n`);
      }
      return handle.state;
    })();
    const state = await Promise.race([watched, stopped]);
    watched.catch(() => undefined);
    const text = state ? `${state.status}: my-mcp-client tasks get ${kept.id}\n` : '';
    return done(text, { task: kept, state: state ?? handle.state, states });
  });
}

/** `tasks resume`: as if the call had never been left. */
export async function resumeTask(session: Session, id: string): Promise<Outcome> {
  return await taken(session, id, true, (handle, kept) => finish(session, handle, kept));
}

/** `tasks cancel`: asks the server to stop, and tells how the task ended. */
export async function cancelTask(session: Session, id: string): Promise<Outcome> {
  return await taken(session, id, false, async (handle, kept) => {
    await handle.cancel();
    // A task that ended before is not cancelled, and keeps its result.
    const cancelled = handle.status === 'cancelled';
    if (cancelled) await session.references.forget(kept.id);
    return done(`${stateText(handle)}\n`, { task: kept, state: handle.state });
  });
}

/** Takes a kept task up again. One that is gone is forgotten. */
async function taken(
  session: Session,
  id: string,
  answers: boolean,
  work: (handle: CallHandle, kept: KeptTask) => Promise<Outcome>,
): Promise<Outcome> {
  const { references, progress, invocation } = session;
  const kept = await references.find(id);
  return await session.with(kept.server, async (client) => {
    try {
      const handle = await client.resume(kept.reference, {
        ...(answers ? { onStatus: (state) => progress.status(state) } : { onInput: unanswered }),
        ...(answers && invocation.timeout !== undefined && { timeout: invocation.timeout }),
      });
      handle.result().catch(() => undefined);
      return await work(handle, kept);
    } catch (error) {
      if (isOver(error)) await references.forget(kept.id);
      throw error;
    }
  });
}

function stateText({ status, state }: CallHandle): string {
  const message = state?.statusMessage;
  const words = status.replace('_', ' ');
  return message === undefined ? words : table([[words, message]]).trimEnd();
}
