import type { ComponentChildren } from 'preact';
import { visible } from '../../../../pages/toolkit/words.js';
import type { Details, Payload, TaskAnswer } from './answers.js';
import { Badge, between, oneLine, Progress, Time } from './words.js';

/** What the user may do with a task. */
export type Action = 'cancel' | 'retry';

interface PartsProps extends TaskAnswer {
  readonly withPayloads: boolean;
  /** About the last action. */
  readonly said: string;
  /** Whether an action has no answer yet. */
  readonly isBusy: boolean;
  readonly onPayloads: (isShown: boolean) => void;
  readonly onAction: (action: Action) => void;
}

/** All of a task. */
export function Parts(props: PartsProps) {
  const { task, payloads, withPayloads, onPayloads } = props;
  return (
    <>
      <p class="back">
        <a href="#">All tasks</a>
      </p>
      <h2 id="task-title">
        <code>{task.id}</code> <Badge status={task.status} />
      </h2>
      <State {...task} />
      <Actions {...props} />
      <Section title="Facts">
        <Facts task={task} />
      </Section>
      <Section title="History">
        <History task={task} />
      </Section>
      {task.input.length > 0 && (
        <Section title="Questions">
          <ol>{task.input.map(asQuestion)}</ol>
        </Section>
      )}
      {task.steps.length > 0 && (
        <Section title="Steps">
          <ol>{task.steps.map(asStep)}</ol>
        </Section>
      )}
      <Section title="Arguments and result">
        {payloads && (
          <p class="toggle">
            <input
              type="checkbox"
              id="payloads"
              checked={withPayloads}
              onChange={({ currentTarget }) => onPayloads(currentTarget.checked)}
            />
            <label for="payloads">
              Show arguments, questions, answers and results, which may hold secrets
            </label>
          </p>
        )}
        <Text name="Arguments" of={task.request} />
        {task.outcome ? (
          <Text name="Result or error" of={task.outcome} />
        ) : (
          <p class="quiet">
            {task.status === 'cancelled' ? 'A cancelled task has no result.' : 'No result yet.'}
          </p>
        )}
      </Section>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

function Section({ title, children }: SectionProps) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function State({ status, protocolStatus, statusMessage, progress, input }: Details) {
  const waiting = input.filter(({ answered, withdrawn }) => !answered && !withdrawn).length;
  const questions = waiting === 1 ? 'one question' : `${String(waiting)} questions`;
  return (
    <>
      {status === 'input_required' && (
        <p class="waiting">It waits for an answer of its user to {questions}.</p>
      )}
      {protocolStatus === 'completed' && (
        <p>Its tool returned an error. For its client the task is completed.</p>
      )}
      {progress && <Progress of={progress} />}
      {statusMessage !== undefined && <p class="message">{visible(statusMessage)}</p>}
    </>
  );
}

function Actions({ task: { mayCancel, mayRetry, retriedAs }, said, isBusy, onAction }: PartsProps) {
  // A disabled button would lose the focus.
  const button = (action: Action, text: string) => (
    <button
      type="button"
      id={action}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={() => onAction(action)}
    >
      {text}
    </button>
  );
  return (
    <div class="actions">
      {mayCancel && button('cancel', 'Cancel the task')}
      {mayRetry && button('retry', retriedAs === undefined ? 'Retry' : 'Retry again')}
      <p id="said" role="status" tabIndex={-1}>
        {said}
      </p>
    </div>
  );
}

const code = (text: string) => <code>{oneLine(text)}</code>;

function Facts({ task }: { readonly task: Details }) {
  const { caller } = task;
  const link = (id: string) => (
    <a href={`#task=${id}`}>
      <code>{id}</code>
    </a>
  );
  const rows: readonly (readonly [string, ComponentChildren])[] = [
    ['Tool', task.tool && code(task.tool)],
    ['Method', code(task.method)],
    ['User', caller && code(caller.subject)],
    ['Issuer', caller && code(caller.issuer)],
    ['Client', caller && code(caller.client)],
    ['Scopes', caller && code(caller.scopes.join(' '))],
    ['Owner', code(task.owner)],
    ['Dialect', task.dialect],
    ['Attempt', task.attempt],
    ['Worker', task.worker && code(task.worker)],
    ['Created', <Time iso={task.createdAt} />],
    ['Changed', <Time iso={task.updatedAt} />],
    ['Expires', <Time iso={task.expiresAt} />],
    ...durations(task),
    ['Trace', task.traceId && code(task.traceId)],
    ['Retry of', task.retryOf && link(task.retryOf)],
    ['Retried as', task.retriedAs && link(task.retriedAs)],
  ];
  return (
    <dl>
      {rows
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Of a task that has ended. The running time includes pauses and the time that it waited for answers. */
function durations(task: Details): readonly (readonly [string, ComponentChildren])[] {
  const { createdAt, queued, queuedUntil, updatedAt, mayCancel: isLive } = task;
  const wasQueued = queuedUntil && between(createdAt, queuedUntil);
  if (isLive) return [['Queued', queued ? 'Waits for a slot' : wasQueued]];
  return [
    ['Queued', wasQueued ?? '0 ms'],
    ['Running', between(queuedUntil ?? createdAt, updatedAt)],
    ['Total', between(createdAt, updatedAt)],
  ];
}

function History({ task: { history } }: { readonly task: Details }) {
  return (
    <ol class="history">
      {history.map(({ status, attempt, at }, index) => {
        const next = history[index + 1];
        return (
          <li key={index}>
            <Time iso={at} /> <Badge status={status} />
            {attempt > (history[index - 1]?.attempt ?? 1) && ` (attempt ${String(attempt)})`}
            {next && <span class="quiet"> for {between(at, next.at)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

function asStep(step: Details['steps'][number], index: number) {
  const { name, attempt, finished, until, at } = step;
  return (
    <li key={index}>
      <code>{oneLine(name)}</code>{' '}
      {until === undefined ? (finished ? 'Finished' : 'Started') : 'Pause until'}{' '}
      {(until ?? at) !== undefined && <Time iso={until ?? at ?? ''} />}
      {attempt > 1 && ` in attempt ${String(attempt)}`}
      <Text name="Result" of={step} />
    </li>
  );
}

function asQuestion({
  key,
  method,
  params,
  answer,
  answered,
  withdrawn,
}: Details['input'][number]) {
  const isOpen = !withdrawn && !answered;
  return (
    <li key={key} class={isOpen ? 'waiting' : undefined}>
      <code>{oneLine(method)}</code>{' '}
      {isOpen ? 'waits for an answer' : withdrawn ? 'withdrawn' : 'answered'}{' '}
      <span class="quiet">{oneLine(key)}</span>
      <Text name="Question" of={params} />
      {answer && <Text name="Answer" of={answer} />}
    </li>
  );
}

/** Its size, and its text when the page was asked to show it. */
function Text({ name, of }: { readonly name: string; readonly of: Partial<Payload> }) {
  const { bytes, text, isCut } = of;
  if (bytes === undefined) return null;
  const size = `${bytes.toLocaleString('en')} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const title = `${name}: ${size}${isCut ? ', cut here' : ''}`;
  if (text === undefined) return <p class="quiet">{title}</p>;
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <pre tabIndex={0} aria-label={name} role="region">
        {visible(text)}
      </pre>
    </figure>
  );
}
