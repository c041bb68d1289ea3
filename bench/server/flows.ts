import type { Client } from './requests.js';
import { type Ask, openWire } from './wire.js';
import { now } from './work.js';

/** The id of the task in an answer. */
export function taskIn(answer: string): string {
  const id = /"taskId":"([^"]+)"/.exec(answer)?.[1];
  if (id === undefined) throw new Error(`No task: ${answer}`);
  return id;
}

/** One unit of work over a connection, such as a call or a life cycle. */
export type Flow = (ask: Ask) => Promise<unknown>;

export const plainCall = (client: Client): Flow => {
  const params = { name: 'plain', arguments: {} };
  return async (ask) => expectIn(await ask(client('tools/call', params)), '"text":"done"');
};

export const getTask = async (url: string, client: Client): Promise<Flow> => {
  const { ask, close } = await openWire(url);
  const params = { name: 'endless', arguments: {}, task: {} };
  const taskId = taskIn(await ask(client('tools/call', params)));
  close();
  return async (asked) => expectIn(await asked(client('tasks/get', { taskId })), taskId);
};

/** A `tasks/get` that has to be refused, of another task each time. */
export const guessTask = (client: Client): Flow => {
  let next = 0;
  return async (ask) => {
    const answer = await ask(client('tasks/get', { taskId: `bogus${(next += 1)}` }));
    if (!answer.includes('"error":')) throw new Error(`Not refused: ${answer}`);
  };
};

/** Starts a job of 50 ms and waits for its result. Returns the time from its end to the answer in milliseconds. */
export const blockedResult = (client: Client): ((ask: Ask) => Promise<number>) => {
  const params = { name: 'job', arguments: {}, task: {} };
  return async (ask) => {
    const taskId = taskIn(await ask(client('tools/call', params)));
    const answer = await ask(client('tasks/result', { taskId }));
    const end = /"text":"([\d.]+)"/.exec(answer)?.[1];
    if (end === undefined) throw new Error(`No result: ${answer}`);
    return now() - Number(end);
  };
};

/** Creates a task, and waits for its result. */
export const life = (client: Client): Flow => {
  const params = { name: 'quick', arguments: {}, task: {} };
  return async (ask) => {
    const taskId = taskIn(await ask(client('tools/call', params)));
    expectIn(await ask(client('tasks/result', { taskId })), `"taskId":"${taskId}"`);
  };
};

/** Throws unless the answer has the status 200 and what was asked for. */
export function expectIn(answer: string, wanted: string): void {
  if (answer.startsWith('HTTP/1.1 200 ') && answer.includes(wanted)) return;
  throw new Error(`No ${wanted}: ${answer}`);
}
