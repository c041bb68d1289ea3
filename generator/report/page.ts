import { framePage, html } from '../page/index.js';
import type { Assets, Html } from '../page/index.js';
import { dataElements } from './data.js';
import { findingsSection } from './findings.js';
import { messagesSection } from './messages.js';
import { methodsSection } from './methods.js';
import { noticesOf } from './notices.js';
import type { Recorder } from './recorder.js';
import { SEVERITIES } from './severity.js';
import { tasksSection } from './task-bars.js';
import { trafficFigure } from './traffic.js';
import { sayDuration, sayNumber } from './words.js';

/** The name of the command in a page. */
export const REPORT = 'validate --report';

const SECTIONS = [
  ['summary', 'Summary'],
  ['messages', 'Messages'],
  ['tasks', 'Tasks'],
  ['findings', 'Findings'],
  ['methods', 'Methods'],
] as const;

/** The text of one HTML file that shows a recording with its findings, and loads nothing. */
export function reportPage(recorder: Recorder, assets: Assets): string {
  const rows = recorder.sample.rows;
  const names = recorder.inputs.map(({ name }) => name);
  const revisions = [...new Set(recorder.inputs.flatMap((input) => input.revisions))];
  return framePage(
    {
      command: REPORT,
      title: `${names.join(', ')} – MCP recording`,
      header: html`<h1>${names.join(', ')}</h1>
        <p class="quiet">
          A recording of the Model Context
          Protocol${revisions.length > 0 && `, revision ${revisions.join(', ')}`}
        </p>
        <nav aria-label="Sections">
          <ul>
            ${SECTIONS.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}
          </ul>
        </nav>`,
      main: html`${summarySection(recorder, trafficFigure(recorder, rows))}
      ${messagesSection(recorder)} ${tasksSection(recorder, rows)}
      ${findingsSection(recorder, rows)} ${methodsSection(recorder)}`,
      data: dataElements(recorder, rows),
    },
    assets,
  );
}

function summarySection(recorder: Recorder, traffic: Html): Html {
  const { inputs, tasks, findings, timed, start, end } = recorder;
  const sum = (of: (counts: (typeof inputs)[number]['counts']) => number): number =>
    inputs.reduce((total, { counts }) => total + of(counts), 0);
  const tiles = [
    tile(
      'messages',
      sum(({ messages }) => messages),
    ),
    tile(
      'invalid',
      sum(({ invalid }) => invalid),
      true,
    ),
    ...SEVERITIES.map((severity) =>
      tile(
        severity === 'unclear' ? severity : `${severity}s`,
        findings[severity],
        severity === 'error',
      ),
    ),
    tile(
      'without an answer',
      sum(({ unanswered }) => unanswered),
    ),
    tile('tasks', tasks.list.length),
    ...(timed > 0 ? [tile('duration', sayDuration(Math.max(0, end - start)))] : []),
  ];
  return html`<section id="summary" aria-labelledby="summary-title">
    <h2 id="summary-title" class="unseen">Summary</h2>
    <ul class="tiles">
      ${tiles}
    </ul>
    ${noticesOf(recorder).map((notice) => html`<p class="notice">${notice}</p>`)} ${traffic}
  </section>`;
}

function tile(name: string, value: number | string, isAlarm = false): Html {
  const shown = typeof value === 'number' ? sayNumber(value) : value;
  const mark = value === 0 ? ' zero' : isAlarm ? ' alarm' : '';
  return html`<li class="tile${mark}"><strong>${shown}</strong> ${name}</li>`;
}
