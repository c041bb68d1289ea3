import { pointerParts } from '../../json-schema/pointer.js';
import { printable } from '../../json-schema/text.js';
import { isRecord } from '../validate/index.js';
import { maskString } from '../validate/secrets/index.js';

/** Characters of a text in a message, and of a message. */
const MOST_TEXT = 80;
const MOST = 400;
/** Parts of an object or a list that are shown. */
const MOST_PARTS = 8;
/** Shorter ones are words. */
const SHORTEST_SECRET = 6;

/** A message on one line: shortened around the place, and without secrets. */
export type Show = (message: unknown, pointer?: string) => string;

/** `secrets`: what was sent to the server beside messages, which it may repeat. */
export function createShow(secrets: readonly string[]): Show {
  const known = secrets.filter((secret) => secret.length >= SHORTEST_SECRET);
  return (message, pointer = '') => {
    const masked = masks(typeof message === 'string' ? message : (JSON.stringify(message) ?? ''));
    const text = typeof message === 'string' ? masked : around(masked, pointerParts(pointer));
    const short = text.length > MOST ? `${text.slice(0, MOST)}…` : text;
    return printable(short);
  };

  function masks(text: string): string {
    return known.reduce((rest, secret) => rest.replaceAll(secret, '***'), maskString(text));
  }
}

function around(json: string, path: readonly string[]): string {
  try {
    return JSON.stringify(focused(JSON.parse(json), path)) ?? '';
  } catch {
    // A mask has broken the JSON, or it nests too deeply.
    return json;
  }
}

/** The value with what leads to a place; of all else, what there is. */
function focused(value: unknown, [next, ...rest]: readonly string[]): unknown {
  if (next === undefined) return brief(value, 3);
  if (Array.isArray(value)) {
    const items = value as unknown[];
    const others = items.length > 1 ? ['…'] : [];
    return [...(next === '0' ? [] : others), focused(items[Number(next)], rest)];
  }
  if (!isRecord(value)) return brief(value, 0);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === next ? focused(each, rest) : brief(each, 0),
    ]),
  );
}

function brief(value: unknown, levels: number): unknown {
  if (typeof value === 'string' && value.length > MOST_TEXT) return `${value.slice(0, MOST_TEXT)}…`;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && levels === 0) return '…';
  const shown = entries
    .slice(0, MOST_PARTS)
    .map(([key, each]) => [key, brief(each, levels - 1)] as const);
  if (Array.isArray(value)) return shown.map(([, each]) => each);
  return Object.fromEntries(shown);
}
