import { quote } from '../../../json-schema/text.js';
import { textAt } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS, keyOf } from '../exchanges.js';
import type { OpenRequest } from '../exchanges.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Call, Conversation, Subject } from './subject.js';

/** The answer that gave a cursor. */
interface Given {
  readonly cacheScope: string | undefined;
}

/** Lists in pages: their cursors, and whether all pages may be cached by the same readers. */
export class Pages implements Subject {
  #given = new BoundedMap<Given>(BOUNDS);

  constructor(readonly conversation: Conversation) {}

  request({ method, dialect }: Call, request: OpenRequest): readonly Breach[] {
    if (method === 'initialize') this.#given = new BoundedMap<Given>(BOUNDS);
    const { cursor } = request;
    if (cursor === undefined || dialect.stateless || !this.conversation.isWhole) return NOTHING;
    if (this.#given.forgotten > 0 || this.#given.get(cursorKey(request, cursor))) return NOTHING;
    const message = `No answer to ${method} in this session gave the cursor ${quote(cut(cursor))}.`;
    return [{ code: 'unknown-cursor', message, key: ['params', 'cursor'] }];
  }

  answer({ request, result, dialect }: AnsweredRequest): readonly Breach[] {
    const { cursor } = request;
    const next = textAt(result, 'nextCursor');
    if (next === undefined && cursor === undefined) return NOTHING;
    const breaches: Breach[] = [];
    const cacheScope = textAt(result, 'cacheScope');
    const given = cursor === undefined ? undefined : this.#given.get(cursorKey(request, cursor));
    if (dialect.stateless && given?.cacheScope !== undefined && cacheScope !== undefined) {
      if (given.cacheScope !== cacheScope) breaches.push(mixed(given.cacheScope, cacheScope));
    }
    if (next === undefined) return breaches;
    if (next === cursor) {
      const message = `The next page has the cursor of this one, ${quote(cut(next))}: leave nextCursor out on the last page.`;
      breaches.push({ code: 'repeated-cursor', message, key: ['result', 'nextCursor'] });
    }
    this.#given.set(cursorKey(request, next), { cacheScope }, []);
    return breaches;
  }
}

function mixed(first: string, second: string): Breach {
  const message = `This page is ${quote(cut(second))}, but the page before it is ${quote(cut(first))}: give all pages the same cacheScope.`;
  return { code: 'mixed-cache-scope', message, key: ['result', 'cacheScope'] };
}

function cursorKey({ sender, method }: OpenRequest, cursor: string): string {
  return keyOf(sender, `${method} ${cursor}`);
}
