import { render } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { focusOnSlash } from '../../toolkit/keys.js';
import { many, sayNumber } from '../../toolkit/words.js';
import { byNumber, data, messages, type Message } from './data.js';
import { Detail } from './detail.js';
import { FILTERS, messagesFor, readHash, writeHash, type Filters } from './filters.js';
import { FilterForm } from './form.js';
import { List } from './list.js';
import { WithCode } from '../../toolkit/text.js';
import { nameOf } from '../said.js';
import { sayOffset } from './words.js';

/** After the last change, in milliseconds. */
const WAIT = 150;

const NONE: Filters = {};

const byId = (id: string): HTMLElement | null => document.getElementById(id);

/** The sequence of messages, with its filters and the chosen message. */
function Messages() {
  /** What is typed and chosen. The messages follow, a little later when the search changes. */
  const [filters, setFilters] = useState(NONE);
  const [applied, setApplied] = useState(NONE);
  const [chosen, setChosen] = useState<Message>();
  const [isMissing, setIsMissing] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => messagesFor(applied), [applied]);

  const apply = (wanted: Filters): void => {
    setFilters(wanted);
    setApplied(wanted);
    setIsMissing(false);
  };
  const clear = (): void => apply({});

  useEffect(() => {
    const timer = setTimeout(() => setApplied(filters), WAIT);
    return () => clearTimeout(timer);
  }, [filters]);

  useEffect(() => {
    if (applied === NONE && chosen === undefined) return;
    const hash = writeHash(applied, chosen);
    const timer = setTimeout(() => history.replaceState(null, '', hash), WAIT);
    return () => clearTimeout(timer);
  }, [applied, chosen]);

  /** Follows a link to a message, a task or a search. Links to sections are the browser's. */
  const follow = (hash: string): void => {
    const wanted = readHash(hash);
    if (!wanted) return;
    const message = byNumber.get(Number(wanted.message));
    const names = FILTERS.filter((name) => wanted[name] !== undefined);
    if (names.length > 0 || (message && !shown.includes(message))) {
      apply(Object.fromEntries(names.map((name) => [name, wanted[name]])));
    }
    if (message) setChosen(message);
    setIsMissing(wanted.message !== undefined && message === undefined);
    byId('messages')?.scrollIntoView();
  };

  // Before the first paint: who sees the page can use its keys.
  useLayoutEffect(() => follow(location.hash), []);
  useLayoutEffect(() => focusOnSlash(() => byId('search')), []);
  useLayoutEffect(() => {
    // By the time of the event the address may have been rewritten.
    const onHash = ({ newURL }: HashChangeEvent): void => follow(new URL(newURL).hash);
    const print = (): void => render(<Printed shown={shown} />, byId('printed') ?? document.body);
    addEventListener('hashchange', onHash);
    addEventListener('beforeprint', print);
    return () => {
      removeEventListener('hashchange', onHash);
      removeEventListener('beforeprint', print);
    };
  }, [shown]);

  const found =
    shown.length === messages.length
      ? many(messages.length, 'message')
      : `${sayNumber(shown.length)} of ${many(messages.length, 'message')}`;
  return (
    <>
      <FilterForm
        filters={filters}
        onSearch={setFilters}
        onChoice={apply}
        onClear={clear}
        onEnter={() => {
          apply(filters);
          const [first] = messagesFor(filters);
          if (first) setChosen(first);
          list.current?.focus();
        }}
      />
      <p id="found" role="status">
        {isMissing ? 'This message is not in the report.' : found}
      </p>
      <p class="legend" aria-hidden="true">
        {['request', 'response', 'error', 'notification', 'question'].map((kind) => (
          <span key={kind} class={`key ${kind}`}>
            {kind === 'response' ? 'result' : kind}
          </span>
        ))}
      </p>
      <div class="sequence">
        <List
          element={list}
          shown={shown}
          chosen={chosen}
          onChoose={setChosen}
          onRead={() => {
            panel.current?.focus();
            panel.current?.scrollIntoView({ block: 'nearest' });
          }}
        >
          <div class="parties" aria-hidden="true">
            <Party side="client" name="Client" /> <Party side="server" name="Server" />
          </div>
        </List>
        <Detail panel={panel} message={chosen} onEscape={() => list.current?.focus()} />
      </div>
      <p id="keys" class="quiet">
        <kbd>↑</kbd> <kbd>↓</kbd> next message, <kbd>n</kbd> <kbd>p</kbd> next and previous finding,{' '}
        <kbd>a</kbd> answer or request, <kbd>Enter</kbd> read it
      </p>
    </>
  );
}

interface PartyProps {
  readonly side: 'client' | 'server';
  readonly name: string;
}

function Party({ side, name }: PartyProps) {
  const given = data.parties.map((each) => each[side]).find(Boolean);
  return (
    <span>
      {name} {given && <small>{given}</small>}
    </span>
  );
}

addEventListener('afterprint', () => render(null, byId('printed') ?? document.body));
const root = byId('sequence');
if (root) render(<Messages />, root);

/** The most messages that are printed. */
const MOST = 1000;

const ARROWS = { client: '→', server: '←' } as const;

/** The messages as lines, because paper does not scroll. */
function Printed({ shown }: { readonly shown: readonly Message[] }) {
  return (
    <>
      <ul>
        {shown.slice(0, MOST).map((message) => {
          const { index, ms, from, method, label, findings } = message;
          return (
            <li key={index}>
              {nameOf(message)} {ms !== undefined && `${sayOffset(ms)} `}
              {from ? ARROWS[from] : '–'} <b>{method}</b> {label}
              {findings.map(({ severity, code, text }, at) => (
                <p key={at} class={severity === 'error' ? 'alarm' : undefined}>
                  {severity}: {code}: <WithCode text={text} />
                </p>
              ))}
            </li>
          );
        })}
      </ul>
      {shown.length > MOST && <p>{many(shown.length - MOST, 'message')} more are not printed.</p>}
    </>
  );
}
