/** Names that JavaScript reads from objects implicitly. A tool must not get such a name. */
const TAKEN: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  'then',
  'toJSON',
]);

/**
 * The property that a tool becomes: `slow_compute`, `slow-compute` and `SlowCompute` → `slowCompute`. The
 * result contains ASCII letters and digits only, because names are untrusted.
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
