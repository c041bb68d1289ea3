import type { IncomingMessage } from 'node:http';
import { TASK_STATUSES, type TaskStatus } from '../../tasks/index.js';
import { boundsFor } from '../../transport/reading/bounds.js';
import { readJson } from '../../transport/reading/read-json.js';
import { BadRequest } from './answer.js';
import type { Search } from './search.js';

const ID = /^[0-9A-Za-z_-]{1,64}$/;
const MOST_ROWS = 200;
const ROWS = 50;
const LONGEST_TEXT = 2_000;
const LARGEST_BODY = 1_024;

const READERS = {
  status(text: string): TaskStatus {
    const status = TASK_STATUSES.find((each) => each === text);
    if (status === undefined)
      throw new BadRequest(`status must be one of ${TASK_STATUSES.join(', ')}`);
    return status;
  },
  tool: (text: string) => bounded('tool', text),
  owner: (text: string) => bounded('owner', text),
  id: (text: string) => idIn('id', text),
  before: (text: string) => idIn('before', text),
  limit(text: string): number {
    const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (limit >= 1 && limit <= MOST_ROWS) return limit;
    throw new BadRequest(`limit must be a whole number from 1 to ${MOST_ROWS}`);
  },
} as const;

/** Throws BadRequest for a parameter that is unknown, given twice, or out of range. */
export function searchIn(parameters: URLSearchParams): Search {
  const given = single(parameters, Object.keys(READERS));
  const read = Object.entries(given).map(([name, text]) => [
    name,
    READERS[name as keyof typeof READERS](text),
  ]);
  return { limit: ROWS, ...(Object.fromEntries(read) as Partial<Search>) };
}

/** Parameters by name. Throws BadRequest for one that is not known, or given twice. */
export function single(
  parameters: URLSearchParams,
  known: readonly string[],
): Readonly<Record<string, string>> {
  const names = [...parameters.keys()];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new BadRequest(`Unknown parameter. Known: ${known.join(', ') || 'none'}`);
  }
  if (new Set(names).size < names.length) throw new BadRequest('A parameter is given twice');
  return Object.fromEntries(parameters);
}

export function idIn(name: string, text: string): string {
  if (ID.test(text)) return text;
  throw new BadRequest(`${name} must be an id of a task, or its beginning`);
}

function bounded(name: string, text: string): string {
  if (text.length > 0 && text.length <= LONGEST_TEXT) return text;
  throw new BadRequest(`${name} must have 1 to ${LONGEST_TEXT} characters`);
}

/** The body of an action: a JSON object with nothing but `again`. Throws BadRequest. */
export async function actionIn(request: IncomingMessage): Promise<{ readonly again: boolean }> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json') {
    throw new BadRequest('The body must be application/json', 415);
  }
  const read = readJson(await bodyOf(request), boundsFor(LARGEST_BODY));
  if (read.code !== undefined) throw new BadRequest(`The body ${read.why}`);
  const { value } = read;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject) throw new BadRequest('The body must be a JSON object');
  const { again = false, ...others } = value as Record<string, unknown>;
  if (typeof again !== 'boolean' || Object.keys(others).length > 0) {
    throw new BadRequest('The body may have one member: again, true or false');
  }
  return { again };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > LARGEST_BODY) throw new BadRequest(`The body exceeds ${LARGEST_BODY} bytes`, 413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
