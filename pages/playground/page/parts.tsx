import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { Question } from '../questions.js';
import type { Task } from './task.js';

export interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly onText: (text: string) => void;
}

/** Characters from which on browsers take seconds to paste a text, because they keep its lines for `undo`. */
const LONG = 50_000;

function insert(field: HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
}

/** A field for a text that is not prose. */
export function Text({ label, value, rows, onText }: TextProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        spellcheck={false}
        autocomplete="off"
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData?.getData('text/plain') ?? '';
          if (pasted.length < LONG) return;
          event.preventDefault();
          insert(event.currentTarget, pasted);
          onText(event.currentTarget.value);
        }}
      />
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values and their names; the first is the default. */
  readonly options: readonly (readonly [string, string])[];
  readonly onChoice: (value: string) => void;
}

export function Choice({ label, value, options, onChoice }: ChoiceProps) {
  const id = useId();
  return (
    <div class="choice">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChoice(currentTarget.value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface ActionsProps {
  readonly task: Pick<Task<Question>, 'isRunning' | 'cancel'>;
  readonly name: string;
  readonly onStart: () => void;
  readonly children?: ComponentChildren;
}

/** The button that asks, and the one that cancels while the engine works. */
export function Actions({ task, name, onStart, children }: ActionsProps) {
  return (
    <p class="actions">
      <button type="button" class="main" onClick={onStart}>
        {name}
      </button>
      <button type="button" disabled={!task.isRunning} onClick={task.cancel}>
        Cancel
      </button>
      {children}
    </p>
  );
}

/** What the engine says, as text. It scrolls, so the keyboard has to reach it. */
export function Output({ label, text }: { readonly label: string; readonly text: string }) {
  if (text === '') return null;
  return (
    <pre class="output" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  );
}

/** Says what happens, also to users who do not see it. */
export function Status({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="status" role="status">
      {children}
    </p>
  );
}
