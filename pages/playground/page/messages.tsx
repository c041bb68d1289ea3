import { useEffect, useMemo, useState } from 'preact/hooks';
import { EXTENDED, SPOKEN } from '../../../generator/ir/revisions/index.js';
import type { MessagesAnswer, MessagesQuestion } from '../questions.js';
import type { Engine } from './engine.js';
import { MESSAGES_EXAMPLE } from './examples.js';
import { Actions, Choice, Output, Status, Text } from './parts.js';
import { useTask } from './task.js';

const same = (names: readonly string[]): [string, string][] => names.map((name) => [name, name]);
const REVISIONS: [string, string][] = [['', 'As the messages say'], ...same(Object.keys(SPOKEN))];
const EXTENSIONS: [string, string][] = [
  ['', 'As the messages say'],
  ...same(Object.keys(EXTENDED)),
];
const SENDERS: [string, string][] = [['', 'As their tags say'], ...same(['client', 'server'])];

const VERDICTS = {
  valid: 'Valid.',
  unclear: 'Unclear: choose what the findings ask for.',
  invalid: 'Invalid.',
  none: 'There is no message to check.',
} as const;

/** The section that checks messages and recordings. */
export function Messages({ engine }: { readonly engine: Engine }) {
  const [text, setText] = useState('');
  const [revision, setRevision] = useState('');
  const [extension, setExtension] = useState('');
  const [from, setFrom] = useState('');
  const task = useTask<MessagesQuestion>(engine);
  const { isRunning, answer, problem } = task;
  const check = (): void =>
    task.ask({
      kind: 'messages',
      text,
      revision: revision || undefined,
      extension: extension || undefined,
      from: from === 'client' || from === 'server' ? from : undefined,
    });
  return (
    <section id="messages" aria-labelledby="messages-title">
      <h2 id="messages-title">Messages</h2>
      <p>
        A message, an array of messages, JSON Lines or a transcript, as{' '}
        <code>mcp-codegen validate</code> reads them.
      </p>
      <Text label="Messages to check" value={text} rows={12} onText={setText} />
      <div class="choices">
        <Choice label="Revision" value={revision} options={REVISIONS} onChoice={setRevision} />
        <Choice label="Extension" value={extension} options={EXTENSIONS} onChoice={setExtension} />
        <Choice label="Sender" value={from} options={SENDERS} onChoice={setFrom} />
      </div>
      <Actions task={task} name="Check the messages" onStart={check}>
        <button type="button" onClick={() => setText(MESSAGES_EXAMPLE)}>
          Use an example
        </button>
      </Actions>
      <Status>
        {isRunning ? 'Checking …' : problem}
        {answer && <strong class={answer.verdict}>{VERDICTS[answer.verdict]}</strong>}
      </Status>
      {answer && <Verdict answer={answer} />}
    </section>
  );
}

function Verdict({ answer: { findings, summary, report } }: { readonly answer: MessagesAnswer }) {
  return (
    <>
      <Output label="Findings" text={findings.map(({ text }) => text).join('')} />
      <Output label="Summary" text={summary} />
      <Report text={report} />
    </>
  );
}

/** The page of `validate --report`. Its policy and the one of this page apply; it cannot reach this page. */
function Report({ text }: { readonly text: string }) {
  const url = useMemo(() => URL.createObjectURL(new Blob([text], { type: 'text/html' })), [text]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <details class="report">
      <summary>Report</summary>
      <p>
        <a href={url} download="report.html">
          Save the report
        </a>
      </p>
      <iframe title="Report" sandbox="allow-scripts" src={url} />
    </details>
  );
}
