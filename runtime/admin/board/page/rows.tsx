import type { ComponentChildren } from 'preact';
import type { Row } from './answers.js';
import { Badge, between, oneLine, Progress, Time } from './words.js';

interface TasksProps {
  readonly tasks: readonly Row[] | undefined;
  /** Whether the tasks are those of an earlier search. */
  readonly isBusy: boolean;
}

const COLUMNS: readonly (readonly [name: string, cell: (task: Row) => ComponentChildren])[] = [
  ['Status', ({ status }) => <Badge status={status} />],
  ['Tool', ({ tool, method }) => <Clamped text={tool ?? method} />],
  ['Message', Message],
  ['Created', ({ createdAt }) => <Time iso={createdAt} />],
  ['Changed', ({ updatedAt }) => <Time iso={updatedAt} />],
  ['Took', took],
  ['Owner', ({ owner }) => <Clamped text={owner} />],
];

export function Tasks({ tasks, isBusy }: TasksProps) {
  return (
    <table id="tasks" hidden={tasks?.length === 0} aria-busy={isBusy ? 'true' : undefined}>
      <caption class="unseen">Tasks, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Id</th>
          {COLUMNS.map(([name]) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tasks?.map((task) => (
          <tr key={task.id}>
            <th scope="row" data-name="Id">
              <a href={`#task=${task.id}`}>
                <code>{task.id}</code>
              </a>
            </th>
            {COLUMNS.map(([name, cell]) => (
              <td key={name} data-name={name}>
                {cell(task)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** At most four lines; the page of the task has the whole text. */
function Clamped({ text }: { readonly text: string }) {
  return text === '' ? null : <span class="text">{oneLine(text)}</span>;
}

function Message({ statusMessage = '', progress }: Row) {
  if (statusMessage === '' && progress === undefined) return null;
  return (
    <div>
      {progress && <Progress of={progress} />}
      <Clamped text={statusMessage} />
    </div>
  );
}

/** From the creation to the end. */
function took({ status, createdAt, updatedAt }: Row): string | undefined {
  const isLive = status === 'working' || status === 'input_required';
  return isLive ? undefined : between(createdAt, updatedAt);
}
