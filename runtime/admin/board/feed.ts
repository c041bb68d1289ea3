import type { ServerResponse } from 'node:http';
import { onClose } from '../../transport/index.js';

/** Tells open pages that tasks changed. A page then reads what it shows. */
export interface Feed {
  /** Whether another page may follow. */
  readonly hasRoom: boolean;
  /** Follows until the connection closes. The head of the response has been written. */
  add(page: ServerResponse): void;
  close(): void;
}

export const MOST_PAGES = 32;
const SHORTEST_PAUSE_MS = 500;
/** Keeps the connection open through proxies, and notices those that are gone. */
const HEARTBEAT_MS = 15_000;
const CHANGED = 'event: changed\ndata: {}\n\n';

/**
 * `observe` is the store's. It is used only while a page is open. However many changes it reports, a page gets two
 * events a second at most, and one that does not read gets none until it does.
 */
export function createFeed(observe: (listener: () => void) => () => void): Feed {
  const pages = new Set<ServerResponse>();
  const behind = new Set<ServerResponse>();
  let end: (() => void) | undefined;
  let heartbeat: NodeJS.Timeout | undefined;
  let pause: NodeJS.Timeout | undefined;
  let again = false;

  function tell(page: ServerResponse, text: string): void {
    if (page.writableNeedDrain) behind.add(page);
    else page.write(text);
  }

  function changed(): void {
    if (pause !== undefined) {
      again = true;
      return;
    }
    for (const page of pages) tell(page, CHANGED);
    pause = setTimeout(() => {
      pause = undefined;
      if (!again) return;
      again = false;
      changed();
    }, SHORTEST_PAUSE_MS).unref();
  }

  function remove(page: ServerResponse): void {
    pages.delete(page);
    behind.delete(page);
    if (pages.size > 0) return;
    clearInterval(heartbeat);
    end?.();
    end = undefined;
  }

  return {
    get hasRoom() {
      return pages.size < MOST_PAGES;
    },
    add(page) {
      pages.add(page);
      onClose(page, () => remove(page));
      page.on('error', () => remove(page));
      page.on('drain', () => {
        if (behind.delete(page)) page.write(CHANGED);
      });
      // What changed before the page followed.
      page.write(CHANGED);
      if (pages.size > 1) return;
      end = observe(changed);
      heartbeat = setInterval(() => {
        for (const each of pages) if (!each.writableNeedDrain) each.write(':\n\n');
      }, HEARTBEAT_MS).unref();
    },
    close() {
      clearTimeout(pause);
      for (const page of [...pages]) {
        remove(page);
        page.end();
      }
    },
  };
}
