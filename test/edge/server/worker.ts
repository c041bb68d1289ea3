import { revision20260728 } from '../../../runtime/server/revisions/2026-07-28.js';
import { app } from './app.js';
import { REVISIONS } from './revisions.js';

interface Environment {
  readonly PLACE: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

/** A Durable Object: one place for all requests, with memory and timers that outlive them. */
export class Place {
  readonly fetch = app(REVISIONS);
}

/** One of many isolates, whose timers end with the request that set them: no tasks, no sessions. */
const alone = app([revision20260728], 'forbidden');

// What workerd calls.
// eslint-disable-next-line no-restricted-syntax
export default {
  fetch(request: Request, { PLACE }: Environment): Promise<Response> {
    if (request.headers.has('x-alone')) return alone(request);
    return PLACE.get(PLACE.idFromName('all')).fetch(request);
  },
};
