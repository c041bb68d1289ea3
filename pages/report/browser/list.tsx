import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isPlain } from '../../toolkit/keys.js';
import { many } from '../../toolkit/words.js';
import { mateOf, worstOf } from './data.js';
import type { Message } from './data.js';
import { nameOf } from '../said.js';
import { kindOf, Status } from './detail.js';
import { layOut, Picture, positionOf, ROW, tasksWidth } from './flow.js';
import { firstOf } from './lanes.js';
import { sayOffset } from './words.js';

/** Rows beyond the edges of the screen. */
const OVERSCAN = 6;
/** The width below which the columns are narrow, in pixels. */
const NARROW = 560;

interface ListProps {
  readonly element: RefObject<HTMLDivElement | null>;
  readonly shown: readonly Message[];
  readonly chosen: Message | undefined;
  readonly onChoose: (message: Message | undefined) => void;
  readonly onRead: () => void;
  readonly children: ComponentChildren;
}

/** The messages as a list of options, of which only those on the screen exist. */
export function List({ element, shown, chosen, onChoose, onRead, children }: ListProps) {
  const { top, height, width } = useScroll(element, shown, chosen);
  const lanes = useMemo(() => layOut(shown), [shown]);
  const mate = chosen && mateOf(chosen);
  const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN);
  const last = Math.min(shown.length - 1, Math.ceil((top + height) / ROW) + OVERSCAN);
  const isNarrow = width < NARROW;
  const left = isNarrow ? 66 : 118;
  const right = width - (isNarrow ? 16 : 28) - tasksWidth(lanes);

  const onKey = (event: KeyboardEvent): void => {
    if (!isPlain(event)) return;
    if (event.key === 'Enter') return onRead();
    const target = targetOf(event.key, shown, chosen, Math.floor(height / ROW) - 1);
    if (!target) return;
    event.preventDefault();
    onChoose(target);
  };

  const at = positionOf(shown, chosen);
  return (
    <div
      class="flow"
      style={{ '--left': `${String(left)}px`, '--right': `${String(width - right)}px` }}
    >
      {children}
      <div
        id="list"
        role="listbox"
        tabIndex={0}
        aria-label="Messages"
        aria-describedby="keys"
        aria-activedescendant={chosen && at >= first && at <= last ? idOf(chosen) : undefined}
        ref={element}
        onKeyDown={onKey}
      >
        <div
          class="space"
          role="presentation"
          style={{ height: `${String(shown.length * ROW)}px` }}
        >
          <Picture {...{ shown, lanes, first, last, width, left, right }} />
          {shown.slice(first, last + 1).map((message, index) => (
            <div
              key={message.index}
              id={idOf(message)}
              class={classesOf(message, message === mate)}
              role="option"
              aria-selected={message === chosen}
              aria-setsize={shown.length}
              aria-posinset={first + index + 1}
              style={{ top: `${String((first + index) * ROW)}px` }}
              onClick={() => onChoose(message)}
            >
              <When message={message} before={shown[first + index - 1]} />
              <What message={message} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** What of the list is on the screen. It scrolls to the chosen message, and to the top of other messages. */
function useScroll(
  element: RefObject<HTMLDivElement | null>,
  shown: readonly Message[],
  chosen: Message | undefined,
) {
  const [view, setView] = useState({ top: 0, height: 0, width: 0 });
  const before = useRef(shown);
  const measure = (): void => {
    if (!element.current) return;
    const { scrollTop: top, clientHeight: height, clientWidth: width } = element.current;
    setView((known) =>
      known.top === top && known.height === height && known.width === width
        ? known
        : { top, height, width },
    );
  };
  useLayoutEffect(() => {
    const at = positionOf(shown, chosen);
    const isOther = before.current !== shown;
    before.current = shown;
    const list = element.current;
    if (!list) return;
    const { scrollTop, clientHeight } = list;
    const isSeen = at * ROW >= scrollTop && (at + 1) * ROW <= scrollTop + clientHeight;
    if (at >= 0 && !isSeen) list.scrollTop = at * ROW - (clientHeight - ROW) / 2;
    else if (at < 0 && isOther) list.scrollTop = 0;
    measure();
  }, [shown, chosen]);
  useEffect(() => {
    const list = element.current;
    if (!list) return;
    let frame = 0;
    const later = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    };
    const observer = new ResizeObserver(later);
    observer.observe(list);
    list.addEventListener('scroll', later);
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', later);
    };
  }, []);
  return view;
}

/** The message that a key leads to. `page`: the number of rows on the screen. */
function targetOf(
  key: string,
  shown: readonly Message[],
  chosen: Message | undefined,
  page: number,
): Message | undefined {
  const end = shown.length - 1;
  const at = chosen ? firstOf(shown, ({ index }) => index >= chosen.index) : -1;
  const step = Math.max(1, page);
  const positions: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + step,
    PageUp: at - step,
    Home: 0,
    End: end,
  };
  if (Object.hasOwn(positions, key)) {
    return shown[Math.min(end, Math.max(0, positions[key] ?? 0))];
  }
  const isFound = ({ findings }: Message): boolean => findings.length > 0;
  if (key === 'n') return shown.slice(at + 1).find(isFound);
  if (key === 'p') return shown.slice(0, Math.max(0, at)).findLast(isFound);
  return key === 'a' && chosen ? mateOf(chosen) : undefined;
}

const idOf = ({ index }: Message): string => `row-${String(index)}`;

function classesOf(message: Message, isMate: boolean): string {
  const worst = worstOf(message);
  return ['row', ...(worst ? ['found', worst] : []), ...(isMate ? ['mate'] : [])].join(' ');
}

interface WhenProps {
  readonly message: Message;
  readonly before: Message | undefined;
}

/** A gap from which a pause is marked, in milliseconds. */
const PAUSE = 1000;

function When({ message, before }: WhenProps) {
  const { ms } = message;
  const isPause = ms !== undefined && ms - (before?.ms ?? ms) >= PAUSE;
  return (
    <span class="when">
      <span class="number">{nameOf(message).replace('Message ', '')}</span>
      {ms !== undefined && <span class={isPause ? 'time pause' : 'time'}>{sayOffset(ms)}</span>}
    </span>
  );
}

function What({ message }: { readonly message: Message }) {
  const { from, kind, findings, method, status, label } = message;
  const worst = worstOf(message);
  const route = from ? `${from} to ${from === 'client' ? 'server' : 'client'}, ` : '';
  return (
    <span class="what">
      <span class="unseen">{`${route}${kindOf(message)} `}</span>
      {worst && (
        <span class={`severity ${worst}`}>
          {findings.length > 1 ? many(findings.length, 'finding') : worst}
        </span>
      )}{' '}
      {kind === 'error' && <b class="alarm">error </b>}
      <b>{method || (kind === 'note' ? '' : kindOf(message))}</b>{' '}
      {status && <Status status={status} />} <span class="label">{label}</span>
    </span>
  );
}
