import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { KeepsFocus } from '../../../../pages/toolkit/focus.js';
import type { TaskAnswer } from './answers.js';
import { Parts } from './details.js';
import type { Action } from './details.js';
import { usePaced } from './paced.js';
import type { Paced } from './paced.js';
import type { PartProps } from './place.js';
import { oneLine } from './words.js';
import { ask, type AskError, FAULT_PAUSE_MS, isPassing, isRefusal, post } from './wire.js';

const ACTIONS = {
  cancel: {
    title: () => 'Cancel this task?',
    text: 'Its handler is told to stop. What it has done stays done. A cancelled task stays cancelled.',
    yes: 'Yes, cancel it',
    doing: 'Cancelling …',
    done: () => 'The task is cancelled.',
  },
  retry: {
    title: (again: boolean) => (again ? 'Retry this task once more?' : 'Retry this task?'),
    text: 'A new task with the same request, for the same owner, starts from the beginning.',
    yes: 'Yes, retry it',
    doing: 'Retrying …',
    done: (retriedAs: string) => `Retried as ${retriedAs}.`,
  },
};

interface TaskProps extends PartProps {
  readonly id: string;
}

/** The page of one task. Another task has a component of its own, so an answer never reaches the wrong one. */
export function Task({ id, visit, isHidden, change, onError, onRead }: TaskProps) {
  const [answer, setAnswer] = useState<TaskAnswer | 'unknown'>();
  const [withPayloads, setWithPayloads] = useState(false);
  const [said, setSaid] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [question, setQuestion] = useState<{ readonly action: Action }>();
  const article = useRef<HTMLElement>(null);
  const request = useRef(new AbortController());
  const path = `api/tasks/${encodeURIComponent(id)}`;

  const reading: Paced = usePaced(async () => {
    const { signal } = request.current;
    try {
      const details = await ask<TaskAnswer>(`${path}?payloads=${withPayloads ? '1' : '0'}`, {
        signal,
      });
      onRead('task');
      setAnswer(details);
    } catch (error) {
      if (!signal.aborted) return failed(error as AskError);
    }
    return undefined;
  });

  function failed(error: AskError): number | undefined {
    if (error.reason === 'unknown_task' || error.status === 400) {
      onRead('task');
      setAnswer('unknown');
      return undefined;
    }
    // Payloads alone may be refused.
    if (error.status === 403 && withPayloads) {
      setWithPayloads(false);
      setSaid(error.message);
      return undefined;
    }
    onError(error, 'task');
    if (isPassing(error)) reading.ask();
    return FAULT_PAUSE_MS;
  }

  function read(): () => void {
    const controller = new AbortController();
    request.current.abort();
    request.current = controller;
    reading.askNow();
    return () => controller.abort();
  }

  useEffect(() => (isHidden ? undefined : read()), [visit, isHidden, withPayloads]);
  useEffect(() => {
    if (!isHidden && change > 0) reading.ask();
  }, [change]);

  const again = typeof answer === 'object' && answer.task.retriedAs !== undefined;

  async function act(action: Action): Promise<void> {
    const { doing, done } = ACTIONS[action];
    setIsBusy(true);
    setSaid(doing);
    try {
      const body = action === 'retry' ? { again } : {};
      const { retriedAs = '' } = await post<{ retriedAs?: string }>(`${path}/${action}`, body);
      setSaid(done(retriedAs));
    } catch (error) {
      setSaid(why(error as AskError));
      if (isRefusal(error as AskError)) onError(error as AskError, 'task');
    }
    setIsBusy(false);
    if (article.current !== null) read();
  }

  return (
    <>
      <article id="task" hidden={isHidden} aria-labelledby="task-title" ref={article}>
        <KeepsFocus
          container={() => article.current}
          fallback={() => document.getElementById('said') ?? document.getElementById('main')}
        >
          {answer === undefined && <p class="quiet">Reading the task …</p>}
          {answer === 'unknown' && <Unknown />}
          {typeof answer === 'object' && (
            <Parts
              {...{ ...answer, withPayloads, said, isBusy }}
              onPayloads={setWithPayloads}
              onAction={(action) => {
                if (!isBusy) setQuestion({ action });
              }}
            />
          )}
        </KeepsFocus>
      </article>
      <Confirm question={question} again={again} onYes={(action) => void act(action)} />
    </>
  );
}

function Unknown() {
  return (
    <>
      <h2 id="task-title">No such task</h2>
      <p>No task has this id. It may have expired.</p>
      <p>
        <a href="#">All tasks</a>
      </p>
    </>
  );
}

interface ConfirmProps {
  readonly question: { readonly action: Action } | undefined;
  readonly again: boolean;
  readonly onYes: (action: Action) => void;
}

/** Asks before an action. Each new `question` opens it; the browser gives the focus back when it closes. */
function Confirm({ question, again, onYes }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (question === undefined) return;
    dialog.current?.showModal();
    // Enter pressed twice changes nothing.
    no.current?.focus();
  }, [question]);
  const { title, text, yes } = ACTIONS[question?.action ?? 'cancel'];
  return (
    <dialog id="confirm" aria-labelledby="confirm-title" ref={dialog}>
      <form method="dialog">
        <h2 id="confirm-title">{title(again)}</h2>
        <p>{text}</p>
        <p>
          <button id="confirm-yes" onClick={() => question && onYes(question.action)}>
            {yes}
          </button>{' '}
          <button ref={no}>No, leave it</button>
        </p>
      </form>
    </dialog>
  );
}

/** Without an answer it may have been done or not. */
function why({ status, message }: AskError): string {
  if (status > 0) return `Not done: ${oneLine(message)}`;
  return 'It is not known whether this was done, because the board did not answer. The status says it once it does.';
}
