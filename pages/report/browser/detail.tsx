import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { RowFinding } from '../../findings/index.js';
import { Fact, WithCode } from '../../toolkit/text.js';
import { sayDuration, sayNumber } from '../../toolkit/words.js';
import { bodyOf, data, mateOf } from './data.js';
import type { Message } from './data.js';
import { nameOf, sayFinding, statusClass } from '../said.js';
import { partsOf, sayOffset, sayTime } from './words.js';

const KINDS = { response: 'result', note: 'not a message' } as const;

/** The word for what a message is. */
export function kindOf({ kind }: Message): string {
  return kind in KINDS ? KINDS[kind as keyof typeof KINDS] : kind;
}

interface DetailProps {
  readonly panel: RefObject<HTMLDivElement | null>;
  readonly message: Message | undefined;
  /** When the user leaves it. */
  readonly onEscape: () => void;
}

/** The chosen message with its facts and its findings. */
export function Detail({ panel, message, onEscape }: DetailProps) {
  useLayoutEffect(() => {
    if (panel.current) panel.current.scrollTop = 0;
  }, [message]);
  return (
    <div
      id="detail"
      tabIndex={0}
      role="region"
      aria-label="The chosen message"
      ref={panel}
      onKeyDown={({ key }) => key === 'Escape' && onEscape()}
    >
      {message ? (
        <Content key={message.index} message={message} />
      ) : (
        <p class="quiet">Choose a message to read it.</p>
      )}
    </div>
  );
}

function Content({ message }: { readonly message: Message }) {
  const { method, findings, isCut } = message;
  const body = bodyOf(message);
  return (
    <>
      <h3>
        {nameOf(message)} <span class="quiet">{`${method} ${kindOf(message)}`.trim()}</span>
      </h3>
      <Facts message={message} />
      {findings.length > 0 && <ul class="findings">{findings.map(asFinding)}</ul>}
      {isCut && <p class="quiet">This message is cut.</p>}
      {body !== '' && <pre class="body">{linesOf(body, findings)}</pre>}
    </>
  );
}

const ROUTES = { client: 'client to server', server: 'server to client' } as const;

function Facts({ message }: { readonly message: Message }) {
  const { from, kind, file, line, ms, id, task, status, session } = message;
  const place = data.files.length > 1 ? `${data.files[file] ?? ''}, ` : '';
  return (
    <dl class="facts">
      {kind !== 'note' && <Fact name="From">{from ? ROUTES[from] : 'unclear'}</Fact>}
      <Fact name="Place">
        {place}line {sayNumber(line)}
      </Fact>
      {ms !== undefined && (
        <Fact name="Time">
          {sayOffset(ms)} ({sayTime(data.start + ms, data.clock)})
        </Fact>
      )}
      {id !== '' && (
        <Fact name="Id">
          <code>{id}</code>
        </Fact>
      )}
      <Mate message={message} />
      {task !== undefined && (
        <Fact name="Task">
          <a href={`#task=${String(task)}`}>{data.tasks[task]}</a>{' '}
          {status && <Status status={status} />}
        </Fact>
      )}
      {session !== undefined && <Fact name="Session">{data.sessions[session]}</Fact>}
    </dl>
  );
}

export function Status({ status }: { readonly status: string }) {
  return <span class={`key ${statusClass(status)}`}>{status}</span>;
}

/** The request of an answer, or the answer of a request. */
function Mate({ message }: { readonly message: Message }) {
  const isRequest = message.kind === 'request';
  const mate = mateOf(message);
  const name = isRequest ? 'Answer' : 'Request';
  if (!mate) {
    const missing = isRequest
      ? data.isSample
        ? 'none in this sample'
        : 'none'
      : message.answers && `message ${String(message.answers)}, not in this sample`;
    return missing ? <Fact name={name}>{missing}</Fact> : null;
  }
  const took =
    mate.ms !== undefined &&
    message.ms !== undefined &&
    sayDuration(Math.abs(mate.ms - message.ms));
  return (
    <Fact name={name}>
      <a href={`#message=${String(mate.number)}`}>message {sayNumber(mate.number)}</a>
      {took !== false && (isRequest ? ` after ${took}` : `, ${took} before`)}
    </Fact>
  );
}

function asFinding(finding: RowFinding, index: number) {
  const { severity, code, pointer, lines } = finding;
  const part = pointer || 'the whole message';
  return (
    <li key={index} class={severity}>
      <p>
        <span class={`severity ${severity}`}>{severity}</span> <code>{code}</code>
      </p>
      <p>
        <WithCode text={sayFinding(finding)} />
      </p>
      {lines && (
        <button
          type="button"
          class="pointer"
          aria-label={`Show ${part}`}
          onClick={() => showLine(lines[0])}
        >
          <code>{part}</code>
        </button>
      )}
    </li>
  );
}

const idOf = (line: number): string => `line-${String(line)}`;

function showLine(line: number): void {
  const element = document.getElementById(idOf(line));
  element?.focus();
  element?.scrollIntoView({ block: 'center' });
}

function linesOf(body: string, findings: readonly RowFinding[]): ComponentChildren {
  return body.split('\n').map((line, index) => {
    const hit = findings.find(
      ({ lines: [first, last] = [Infinity, 0] }) => first <= index && index <= last,
    );
    // The first line of the part has a mark, for readers that do not see colours.
    const isMark = findings.some(({ lines }) => lines?.[0] === index);
    const classes = ['line', ...(hit ? ['hit', hit.severity] : []), ...(isMark ? ['mark'] : [])];
    return (
      <span
        key={index}
        class={classes.join(' ')}
        {...(isMark && { id: idOf(index), tabIndex: -1 })}
      >
        {partsOf(line).map(([text, kind], at) =>
          kind === '' ? (
            text
          ) : (
            <span key={at} class={kind}>
              {text}
            </span>
          ),
        )}
      </span>
    );
  });
}
