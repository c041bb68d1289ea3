import { unanswered } from '../prompts.js';
import { shownServer } from '../location.js';
import { isOver, isSessionOver } from '../failure.js';
import type { CallHandle, FollowOptions, TaskState } from '@mcp-codegen/runtime/client';
import { shownTask } from '../references.js';
import type { KeptTask } from '../references.js';
import { messageOf } from '../progress.js';
import { done } from '../session.js';
import type { Outcome, Session, Target } from '../session.js';
import { table } from '../text.js';
import { finish, resultOutcome } from './call.js';

/** `tasks list`: what is kept, without asking any server. */
export async function listTasks({ references }: Session): Promise<Outcome> {
  const tasks = await references.list();
  const rows = tasks.map(({ id, tool, startedAt, server }) => [
    id,
    tool,
    startedAt,
    shownServer(server),
  ]);
  return done(rows.length === 0 ? 'No tasks are kept.\n' : table(rows), {
    tasks: tasks.map(shownTask),
  });
}

/** `tasks get`: how a task is now, with its result if there is one. */
export async function getTask(session: Session, id: string): Promise<Outcome> {
  return await taken(session, id, false, async (handle, kept) => {
    const { state } = handle;
    const ended = handle.status === 'completed' || handle.status === 'failed';
    const outcome = ended
      ? await resultOutcome(session, kept.tool, await handle.result())
      : undefined;
    const text = `${stateText(handle)}\n${outcome?.text ?? ''}`;
    return done(text, { task: shownTask(kept), state, ...outcome?.data });
  });
}

/** States that the document of `tasks watch` lists. */
const MOST_STATES = 1_000;

/** `tasks watch`: each state of a task, until it ends. Questions are left to others. */
export async function watchTask(session: Session, id: string): Promise<Outcome> {
  return await taken(session, id, false, async (handle, kept) => {
    let stopListening = (): void => undefined;
    const stopped = new Promise<undefined>((resolve) => {
      stopListening = session.io.onInterrupt(() => resolve(undefined));
    });
    const states: TaskState[] = [];
    const watched = (async () => {
      for await (const state of handle) {
        if (states.length < MOST_STATES) states.push(state);
        session.io.messages.write(`${stateText(handle)}\n`);
      }
      return handle.state;
    })();
    const state = await Promise.race([watched, stopped]).finally(stopListening);
    watched.catch(() => undefined);
    const text = state ? `${state.status}: my-mcp-client tasks get ${kept.id}\n` : '';
    return done(text, { task: shownTask(kept), state: state ?? handle.state, states });
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
    return done(`${stateText(handle)}\n`, { task: shownTask(kept), state: handle.state });
  });
}

/** Takes a kept task up again, in its session if that lives. One that is gone is forgotten. */
async function taken(
  session: Session,
  id: string,
  answers: boolean,
  work: (handle: CallHandle, kept: KeptTask) => Promise<Outcome>,
): Promise<Outcome> {
  const kept = await session.references.find(id);
  let begun = false;
  const attempt = (target: Target): Promise<Outcome> =>
    session.with(target, async (client) => {
      try {
        const handle = await client.resume(kept.reference, resumeOptions(session, answers));
        begun = true;
        handle.result().catch(() => undefined);
        return await work(handle, kept);
      } catch (error) {
        if (isOver(error)) await session.references.forget(kept.id);
        throw error;
      }
    });
  try {
    return await attempt(kept);
  } catch (error) {
    // Servers that do not bind tasks to sessions show them in another one, too.
    if (kept.session === undefined || begun || !isSessionOver(error)) throw error;
    return await attempt({ ...kept, session: undefined });
  }
}

function resumeOptions({ progress, invocation }: Session, answers: boolean): FollowOptions {
  if (!answers) return { onInput: unanswered };
  const { timeout } = invocation;
  return {
    onProgress: (news) => progress.progress(news),
    onStatus: (state) => progress.status(state),
    ...(timeout !== undefined && { timeout }),
  };
}

function stateText({ status, state }: CallHandle): string {
  const message = state && messageOf(state);
  const words = status.replace('_', ' ');
  return message === undefined ? words : table([[words, message]]).trimEnd();
}
