import { many, systemFailure } from '../../generator/diagnostics/index.js';
import { quote } from '../../json-schema/text.js';
import { isMasked, messageMasker } from '../validate/secrets/index.js';
import { jsonPointer } from '../../json-schema/pointer.js';
import { at, BoundedMap, isRecord } from '../validate/index.js';
import { jsonOfChanged } from '../../runtime/transport/reading/numbers.js';
import type { MessageMasker } from '../validate/secrets/index.js';
import type { Party } from '../validate/index.js';
import { fitted, ofAnyItem, ofItsShape, placesOf } from './fitted.js';
import { SeenSchemas } from './seen-schemas.js';
import type { Part } from './seen-schemas.js';
import { openLinesFile } from './lines-file.js';
import type { LinesFile } from './lines-file.js';

export interface RecordingOptions {
  /** Adds to a file that exists. Default: a file that exists is an error. */
  readonly append?: boolean;
  /** Replaces secrets by marks (default: true). */
  readonly mask?: boolean;
  /**
   * Called with one line when the recording ends early, for a message that is not recorded, and for a secret that is
   * recorded because its schema accepts no mask. What was recorded is kept.
   */
  readonly onProblem?: (problem: string) => void;
}

/** One message, and who sent it. */
export interface Recorded {
  readonly from: Party;
  readonly session: number;
  /** A message, a batch, or a text that is none. */
  readonly message: unknown;
  /** The message as it was sent, so that its numbers are recorded as they were written. */
  readonly json?: string | undefined;
}

/** A file of the messages of both directions, in the form that `mcp-codegen validate` reads. */
export interface Recording {
  readonly path: string;
  /** The messages in the file that this recording wrote. */
  readonly count: number;
  /** Whether the recording ended early. */
  readonly hasFailed: boolean;
  /** The number of a session that begins, from 1. In a file that is continued they go on. */
  begin(): number;
  write(recorded: Recorded): void;
  /** Removes what was recorded, unless the server has sent something: its refusal of a transport is no conversation. */
  clearUnanswered(): void;
  /** Deletes a file without messages, so that its name can be used again. */
  close(): void;
}

const DIRECTIONS: Readonly<Record<Party, string>> = {
  client: 'client->server',
  server: 'server->client',
};
/** Open requests whose method decides what is masked in their answers. */
const MOST_OPEN = { entries: 1_000, characters: 100_000 };
const FORM = 'elicitation/create';

/**
 * Creates the file, which only its user may read, because messages contain private data. Each message is written at
 * once, so that a crash loses none.
 *
 * @throws {RecordingError} when the file exists already, or cannot be written.
 */
export function openRecording(
  path: string,
  { append = false, mask = true, onProblem }: RecordingOptions = {},
): Recording {
  const masker = mask ? messageMasker() : undefined;
  const forms = new BoundedMap<true>(MOST_OPEN);
  const schemas = new SeenSchemas();
  const told = new BoundedMap<true>(MOST_OPEN);
  let file: LinesFile | undefined = openLinesFile(path, append);
  const earlier = lastSession(file.before);
  let sessions = 0;
  let count = 0;
  let hasFailed = false;
  let hasAnswers = false;

  function fail(reason: string): void {
    hasFailed = true;
    file?.close();
    file = undefined;
    onProblem?.(
      `The recording ended: ${reason}. ${many(count, 'message')} before are in ${quote(path)}.`,
    );
  }

  /** The method that an answer belongs to, where it decides what is masked. */
  function methodOf({ from, session, message }: Recorded): string | undefined {
    if (!isRecord(message)) return undefined;
    const { id, method } = message;
    const asker = (method === undefined) === (from === 'client') ? 'server' : 'client';
    const key = `${String(session)} ${asker} ${JSON.stringify(id)}`;
    if (method === FORM) forms.set(key, true, []);
    if (method !== undefined || forms.get(key) === undefined) return undefined;
    forms.delete(key);
    return FORM;
  }

  function masked(recorded: Recorded): unknown {
    const { message } = recorded;
    if (!masker) return message;
    if (typeof message === 'string') return masker.text(message);
    const parts = schemas.partsOf(recorded.from, recorded.session, message);
    const shown = masker.message(message, methodOf(recorded));
    return parts.reduce((changed, part) => withFitted(changed, message, part, masker), shown);
  }

  /** The masked message with the masks in a part that the schema of the part accepts. */
  function withFitted(
    shown: unknown,
    message: unknown,
    { path, schema, owner }: Part,
    by: MessageMasker,
  ): unknown {
    const original = at(message, ...path);
    const part = at(shown, ...path);
    if (part === original || part === undefined) return shown;
    const { value, unmasked } = schema
      ? fitted(original, part, schema, by)
      : { value: ofItsShape(original, part, by), unmasked: [] };
    for (const place of unmasked) sayUnmasked(jsonPointer([...path, ...place]), owner);
    return value === part ? shown : withPart(shown, path, value);
  }

  /** Once for each place. */
  function sayUnmasked(pointer: string, owner: string): void {
    const key = `${ofAnyItem(pointer)} ${owner}`;
    if (told.get(key)) return;
    told.set(key, true, []);
    onProblem?.(
      `The value at ${quote(pointer)} is recorded as it is, because the schema of ${owner} accepts no mask.`,
    );
  }

  return {
    path,
    get count() {
      return count;
    },
    get hasFailed() {
      return hasFailed;
    },
    begin: () => (sessions += 1),
    write(recorded) {
      if (!file) return;
      const time = new Date().toISOString();
      const { from, session, message, json } = recorded;
      try {
        const direction = DIRECTIONS[from];
        const shown = masked(recorded);
        const unseen = unseenIn(message, shown);
        const record = JSON.stringify({
          time,
          direction,
          session: earlier + session,
          ...(unseen.length > 0 && { masked: unseen }),
        });
        const text = jsonOfChanged(shown, message, json);
        file.write(`${record.slice(0, -1)},"message":${text}}\n`);
        count += 1;
        hasAnswers ||= from === 'server';
      } catch (error) {
        const reason = systemFailure(error)?.reason;
        // A message that nests too deeply to be masked is left out.
        if (reason !== undefined || !(error instanceof RangeError)) fail(reason ?? String(error));
        else onProblem?.('A message that nests too deeply was not recorded.');
      }
    },
    clearUnanswered() {
      if (hasAnswers) return;
      file?.clear();
      count = 0;
    },
    close() {
      file?.close();
      file = undefined;
    },
  };
}

/** Pointers to the masks that a reader does not recognize by their form. */
function unseenIn(message: unknown, shown: unknown): string[] {
  return placesOf(message, shown)
    .filter(({ mask, name }) => name === undefined && !(typeof mask === 'string' && isMasked(mask)))
    .map(({ path }) => jsonPointer(path));
}

/** A value with another part at this path, which it has. */
function withPart(value: unknown, path: readonly string[], part: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return part;
  const inner = withPart(at(value, key), rest, part);
  if (Array.isArray(value)) return value.with(Number(key), inner) as unknown[];
  return Object.fromEntries(
    Object.entries(value as object).map(([name, each]) => [name, name === key ? inner : each]),
  );
}

/** The highest number of a session in a file that is continued. */
function lastSession(pieces: Iterable<string>): number {
  let last = 0;
  for (const piece of pieces) {
    for (const [, number] of piece.matchAll(SESSION)) last = Math.max(last, Number(number));
  }
  return last;
}

const SESSION = /^\{"time":"[^"]{0,40}","direction":"[^"]{0,40}","session":(\d{1,9}),/gm;
