import { noticesOf, SEVERITIES } from '../findings/index.js';
import type { Recorder } from '../findings/index.js';
import { framePage, sayDuration, sayNumber } from '../toolkit/index.js';
import type { Assets } from '../toolkit/index.js';
import { dataElements } from './data.js';
import { Findings } from './findings.js';
import { Methods } from './methods.js';
import { TaskList } from './tasks.js';
import { Traffic } from './traffic.js';

/** The name of the command in a page. */
export const REPORT = 'validate --report';

const SECTIONS = ['Summary', 'Messages', 'Tasks', 'Findings', 'Methods'];

/** The text of one HTML file that shows a recording with its findings, and loads nothing. */
export function reportPage(recorder: Recorder, assets: Assets): string {
  const { inputs } = recorder;
  const names = inputs.map(({ name }) => name).join(', ');
  const revisions = [...new Set(inputs.flatMap((input) => input.revisions))].join(', ');
  return framePage(
    {
      command: REPORT,
      title: `${names} – MCP recording`,
      header: (
        <>
          <h1>{names}</h1>
          <p class="quiet">
            A recording of the Model Context Protocol{revisions !== '' && `, revision ${revisions}`}
          </p>
          <nav aria-label="Sections">
            <ul>
              {SECTIONS.map((title) => (
                <li>
                  <a href={`#${title.toLowerCase()}`}>{title}</a>
                </li>
              ))}
            </ul>
          </nav>
        </>
      ),
      main: (
        <>
          <Summary recorder={recorder} />
          <section id="messages" aria-labelledby="messages-title">
            <h2 id="messages-title">Messages</h2>
            <noscript>
              <p class="notice">The sequence of messages needs JavaScript.</p>
            </noscript>
            <div id="sequence"></div>
            <div id="printed"></div>
          </section>
          <TaskList recorder={recorder} />
          <Findings recorder={recorder} />
          <Methods recorder={recorder} />
        </>
      ),
      data: dataElements(recorder),
    },
    assets,
  );
}

function Summary({ recorder }: { readonly recorder: Recorder }) {
  const { inputs, tasks, findings, timed, start, end } = recorder;
  const sum = (name: 'messages' | 'invalid' | 'unanswered'): number =>
    inputs.reduce((total, { counts }) => total + counts[name], 0);
  return (
    <section id="summary" aria-labelledby="summary-title">
      <h2 id="summary-title" class="unseen">
        Summary
      </h2>
      <ul class="tiles">
        <Tile name="messages" value={sum('messages')} />
        <Tile name="invalid" value={sum('invalid')} isAlarm />
        {SEVERITIES.map((severity) => (
          <Tile
            name={severity === 'unclear' ? severity : `${severity}s`}
            value={findings[severity]}
            isAlarm={severity === 'error'}
          />
        ))}
        <Tile name="without an answer" value={sum('unanswered')} />
        <Tile name="tasks" value={tasks.list.length} />
        {timed > 0 && <Tile name="duration" value={sayDuration(Math.max(0, end - start))} />}
      </ul>
      {noticesOf(recorder).map((notice) => (
        <p class="notice">{notice}</p>
      ))}
      <Traffic recorder={recorder} />
    </section>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: number | string;
  readonly isAlarm?: boolean;
}

function Tile({ name, value, isAlarm = false }: TileProps) {
  const mark = value === 0 ? ' zero' : isAlarm ? ' alarm' : '';
  return (
    <li class={`tile${mark}`}>
      <strong>{typeof value === 'number' ? sayNumber(value) : value}</strong> {name}
    </li>
  );
}
