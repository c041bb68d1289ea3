import { useRef, useState } from 'preact/hooks';
import type { Answers, Question } from '../questions.js';
import type { Engine } from './engine.js';

/** A question that was asked, and what came of it. */
export interface Task<Q extends Question> {
  readonly isRunning: boolean;
  /** That of the last question, while there is one. */
  readonly answer: Answers[Q['kind']] | undefined;
  /** Why there is none. */
  readonly problem: string;
  readonly ask: (question: Q) => void;
  readonly cancel: () => void;
}

/** Asks one question at a time. The next one takes the place of the last. */
export function useTask<Q extends Question>(engine: Engine): Task<Q> {
  const [isRunning, setRunning] = useState(false);
  const [answer, setAnswer] = useState<Answers[Q['kind']]>();
  const [problem, setProblem] = useState('');
  const running = useRef<AbortController>(undefined);
  const cancel = (): void => running.current?.abort();
  const ask = async (question: Q): Promise<void> => {
    cancel();
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setAnswer(undefined);
    setProblem('');
    const isLast = (): boolean => running.current === controller;
    try {
      const found = await engine.ask(question, controller.signal);
      if (isLast()) setAnswer(found);
    } catch (error) {
      if (isLast()) setProblem((error as Error).message);
    }
    if (isLast()) setRunning(false);
  };
  return { isRunning, answer, problem, ask: (question) => void ask(question), cancel };
}
