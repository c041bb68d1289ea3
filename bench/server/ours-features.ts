import type * as server from '../../runtime/server/index.js';
import { GREETING, PROMPT } from './offered.js';

type Definers = Pick<typeof server, 'defineResource' | 'definePrompt'>;

/** How our server offers the resource and the prompt. */
export function features({ defineResource, definePrompt }: Definers) {
  const { text, ...described } = GREETING;
  return {
    resources: [defineResource({ ...described, read: () => ({ text }) })],
    prompts: [definePrompt({ name: PROMPT.name, get: () => PROMPT.text })],
  };
}

/** Options of HTTP with which a client may open a session for each of many requests. */
export const MANY_SESSIONS = { sessionsPerOwner: 10_000 } satisfies server.HttpOptions;

let notify: server.TaskServer['notify'] | undefined;

/** Called with the server when it serves. */
export function started(tasks: server.TaskServer): void {
  ({ notify } = tasks);
}

export function updated(uri: string): void {
  notify?.resourceUpdated(uri);
}
