type Key = Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey' | 'target'>;

/** Whether a key is pressed alone, so that it is no shortcut of the browser. */
export function isPlain({ altKey, ctrlKey, metaKey }: Key): boolean {
  return !altKey && !ctrlKey && !metaKey;
}

function isTyping({ target }: Key): boolean {
  return target instanceof Element && target.closest('input, select, textarea') !== null;
}

/** Moves the focus to the search field when the user presses `/`. Returns what removes this shortcut. */
export function focusOnSlash(field: () => HTMLElement | null): () => void {
  const onKey = (event: KeyboardEvent): void => {
    const found = event.key === '/' && isPlain(event) && !isTyping(event) ? field() : null;
    if (found === null) return;
    event.preventDefault();
    found.focus();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}
