import { HTTP_WAYS } from './http.js';
import { MESSAGES } from './messages.js';
import { LOGINS } from './oauth.js';
import { PIPE_WAYS } from './pipes.js';
import { PROTOCOL_WAYS } from './protocol.js';
import { STREAM_WAYS } from './streams.js';
import { TASK_WAYS } from './tasks.js';
import { type Case, casesOf, loginCase } from './way.js';

const WAYS = [
  ...MESSAGES,
  ...STREAM_WAYS,
  ...PIPE_WAYS,
  ...HTTP_WAYS,
  ...PROTOCOL_WAYS,
  ...TASK_WAYS,
];

/** Each way over each transport, in each dialect, at each method. */
export const CASES: readonly Case[] = [...WAYS.flatMap(casesOf), ...LOGINS.map(loginCase)];

/** One case of each way, of all transports and methods in turn; of sessions, which all clients have. */
export const ONE_EACH: readonly Case[] = [...new Set(CASES.map(({ way }) => way))].flatMap(
  (way, at) => {
    const all = CASES.filter((each) => each.way === way);
    const core = all.filter(({ dialect }) => dialect === 'core');
    const from = core.length > 0 ? core : all;
    return from.slice(at % from.length).slice(0, 1);
  },
);
