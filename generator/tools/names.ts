/** Names that JavaScript looks for on objects by itself: a tool of that name must not answer. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'toJSON',
]);

/**
 * The property that a tool becomes: `slow_compute`, `slow-compute` and `SlowCompute` → `slowCompute`.
 * Nothing of a stranger's name is left but letters and digits of ASCII.
 */
export function toolIdentifier(name: string): string {
  const [first = 'tool', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const lowered = /^[A-Z0-9]+$/.test(first) ? first.toLowerCase() : lowerFirst(first);
  const joined = lowered + others.map(upperFirst).join('');
  const identifier = /^\d/.test(joined) ? `tool${joined}` : joined;
  return TAKEN.has(identifier) ? `${identifier}Tool` : identifier;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
