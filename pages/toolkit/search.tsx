interface SearchFieldProps {
  readonly label: string;
  /** What is typed; absent on a page whose script reads the field itself. */
  readonly value?: string;
  /** Called with each character that is typed. */
  readonly onText?: (text: string) => void;
  readonly onEscape?: () => void;
}

/** The field that `/` leads to. */
export function SearchField({ label, value, onText, onEscape }: SearchFieldProps) {
  return (
    <>
      <label for="search">{label}</label>
      <input
        id="search"
        type="search"
        autocomplete="off"
        spellcheck={false}
        aria-keyshortcuts="/"
        placeholder="Press / to search"
        value={value}
        onInput={({ currentTarget }) => onText?.(currentTarget.value)}
        onKeyDown={({ key }) => key === 'Escape' && onEscape?.()}
      />
    </>
  );
}
