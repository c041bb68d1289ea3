/** What is kept of each function; a stranger's schemas may have any number of texts. */
const MOST = 1_000;

/** The function of a text, which is not computed again for the last texts. */
export function remembered<T>(make: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const made = make(text);
    known.set(text, made);
    return made;
  };
}
