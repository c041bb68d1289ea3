import { endOfText } from './envelope.js';

const QUOTE = 0x22;
const COLON = 0x3a;

/**
 * Why two programs may read different values in a JSON text: words that follow "The message". A name that an object has
 * twice means its first or its last value, and a number beyond a double means infinity, null or itself. For those who judge
 * what another program reads; who uses the value need not ask.
 */
export function ambiguityIn(text: string, value: unknown): string | undefined {
  const { names, isFinite } = countedIn(value);
  if (!isFinite) return 'has a number that is too large for a double';
  return names < membersIn(text) ? 'has an object with the same name twice' : undefined;
}

/** The members of all objects together: each has a colon outside of texts. */
function membersIn(text: string): number {
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) at = endOfText(text, at) - 1;
    else if (character === COLON) members += 1;
  }
  return members;
}

/** Those that are left of them. Values are within the bounds of a message, so they do not exhaust the stack. */
function countedIn(value: unknown): { readonly names: number; readonly isFinite: boolean } {
  if (typeof value !== 'object' || value === null) {
    return { names: 0, isFinite: typeof value !== 'number' || Number.isFinite(value) };
  }
  const parts: readonly unknown[] = Object.values(value);
  let [names, isFinite] = [Array.isArray(value) ? 0 : parts.length, true];
  for (const each of parts) {
    const inner = countedIn(each);
    names += inner.names;
    isFinite &&= inner.isFinite;
  }
  return { names, isFinite };
}
