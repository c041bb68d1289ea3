import { render } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { focusOnSlash } from '../../../../pages/toolkit/keys.js';
import { List } from './list.js';
import { visitNow } from './place.js';
import { Task } from './task.js';
import { type AskError, follow, isRefusal, setToken, takeToken } from './wire.js';

/** What the server says of itself, as attributes of the page's element. */
interface Served {
  /** The server's name; empty without one. */
  readonly name?: string;
  /** `token`: of an authorization server; `secret`: that of the board's URL. */
  readonly access?: string;
}

/** What is known of the stream of changes. */
interface Stream {
  readonly said: string;
  readonly isLost: boolean;
}

const byId = (id: string): HTMLElement | null => document.getElementById(id);

/** Shows the list or one task, as the address says, and keeps it as the store has it. */
function Board({ name = '', access }: Served) {
  const [visit, setVisit] = useState(visitNow);
  const [refusal, setRefusal] = useState<string>();
  const [stream, setStream] = useState<Stream>({ said: '', isLost: false });
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [change, setChange] = useState(0);

  const begin = (): void => {
    takeToken();
    setRefusal(undefined);
    setFaults(new Map());
    setVisit(visitNow());
  };
  const refused = (error: Error): void => {
    setFaults(new Map());
    setStream({ said: '', isLost: false });
    setRefusal(error.message);
  };

  useEffect(() => {
    if (refusal !== undefined) return;
    const controller = new AbortController();
    void follow(
      {
        onChange: () => setChange((count) => count + 1),
        onLive: () => setStream({ said: 'Live', isLost: false }),
        onLost: (why) => setStream({ said: `${why}; tries again`, isLost: true }),
        onRefused: refused,
      },
      controller.signal,
    );
    return () => controller.abort();
  }, [refusal === undefined]);

  useEffect(() => {
    const onHash = (): void => {
      begin();
      scrollTo(0, 0);
      const isSearching = document.activeElement?.closest('#filter, #statuses') ?? null;
      if (isSearching === null) byId('main')?.focus({ preventScroll: true });
    };
    addEventListener('hashchange', onHash);
    const forgetSlash = focusOnSlash(() => (byId('list')?.hidden ? null : byId('by-id')));
    return () => {
      removeEventListener('hashchange', onHash);
      forgetSlash();
    };
  }, []);

  const { task } = visit;
  useLayoutEffect(() => {
    const place = task === undefined ? 'Tasks' : `Task ${task}`;
    document.title = name === '' ? place : `${name}: ${place}`;
  }, [task]);

  const isRefused = refusal !== undefined;
  const part = {
    visit,
    change,
    onError: (error: Error, source: string): void => {
      if (isRefusal(error as AskError)) refused(error);
      else setFaults((known) => new Map(known).set(source, error.message));
    },
    onRead: (source: string): void =>
      setFaults((known) =>
        known.has(source) ? new Map([...known].filter(([each]) => each !== source)) : known,
      ),
  };
  // What could not be read matters more than that changes are followed, but less than that they are not.
  const [fault = stream.said] = stream.isLost ? [] : faults.values();
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header>
        <h1>
          <a href="#">Tasks</a>
          {name !== '' && <span id="server"> {name}</span>}
        </h1>
        <p id="connection" role="status">
          {fault}
        </p>
      </header>
      <main id="main" tabIndex={-1}>
        {isRefused && <Access reason={refusal} isSecret={access !== 'token'} onToken={begin} />}
        <List {...part} isHidden={isRefused || task !== undefined} />
        {task !== undefined && <Task key={task} id={task} {...part} isHidden={isRefused} />}
      </main>
    </>
  );
}

interface AccessProps {
  readonly reason: string;
  readonly isSecret: boolean;
  readonly onToken: () => void;
}

function Access({ reason, isSecret, onToken }: AccessProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), [reason]);
  const open = (event: Event): void => {
    event.preventDefault();
    if (field.current === null) return;
    // Some users paste the whole URL.
    setToken(field.current.value.trim().replace(/^.*#token=/, ''));
    field.current.value = '';
    onToken();
  };
  return (
    <form id="access" onSubmit={open}>
      <h2>Access</h2>
      <p id="access-reason">{reason}</p>
      <p>
        <label for="token">{isSecret ? 'URL of the board, or its token' : 'Access token'}</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          ref={field}
        />
      </p>
      <button>Open the board</button>
    </form>
  );
}

takeToken();
const root = byId('board');
if (root) render(<Board {...root.dataset} />, root);
