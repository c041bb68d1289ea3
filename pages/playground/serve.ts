import type { Assets } from '../index.js';
import { answer } from './engine.js';
import type { Answers, Question } from './questions.js';

/** What the worker sends back for one question. */
export type Reply = { readonly answer: Answers[Question['kind']] } | { readonly problem: string };

/** The part of a worker's global object that is used. */
interface Port {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(reply: Reply): void;
}

/** Answers the questions that the page sends, one at a time. `assets` are those of reports. */
export function serve(port: Port, assets: Assets): void {
  port.onmessage = ({ data }) => {
    void reply(data as Question, assets).then((sent) => port.postMessage(sent));
  };
}

async function reply(question: Question, assets: Assets): Promise<Reply> {
  try {
    return { answer: await answer(question, assets) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    const isOurs = name !== 'EngineError';
    return { problem: isOurs ? `This is a defect of the page: ${message}` : message };
  }
}
