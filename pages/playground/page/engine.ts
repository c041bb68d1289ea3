import { ENGINE_ID } from '../questions.js';
import type { Answers, Question } from '../questions.js';
import type { Reply } from '../serve.js';

/** Seconds until a question is given up. */
const PATIENCE = 60;

/** Asks the engine, which runs in a worker of its own, so that the page does not wait for it. */
export interface Engine {
  /** @throws an Error that says what happened and what to do */
  ask<Q extends Question>(question: Q, signal: AbortSignal): Promise<Answers[Q['kind']]>;
}

export function createEngine(): Engine {
  const text = JSON.parse(document.getElementById(ENGINE_ID)?.textContent ?? '""') as string;
  const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  /** The worker that waits for the next question. One that was stopped is not used again. */
  let idle: Worker | undefined;
  return {
    ask: async (question, signal) => {
      const worker = idle ?? new Worker(url);
      idle = undefined;
      try {
        const reply = await replyOf(worker, question, signal);
        if ('problem' in reply) throw new Error(reply.problem);
        idle = worker;
        // The engine answers a question with the answer of its kind.
        return reply.answer as never;
      } catch (error) {
        worker.terminate();
        throw error;
      }
    },
  };
}

function replyOf(worker: Worker, question: Question, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const stop = (message: string): void => {
      clearTimeout(timer);
      reject(new Error(message));
    };
    const timer = setTimeout(
      () => stop(`Stopped after ${String(PATIENCE)} seconds. Use the command line for this text.`),
      PATIENCE * 1000,
    );
    signal.addEventListener('abort', () => stop('Cancelled.'), { once: true });
    worker.onerror = ({ message }) => stop(`The engine does not run in this browser: ${message}`);
    worker.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data as Reply);
    };
    worker.postMessage(question);
  });
}
