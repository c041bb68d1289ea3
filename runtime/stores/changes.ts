import { nextTurn } from '../tasks/index.js';

/** The changes that this process makes, for those who observe all tasks: those of one turn at once. */
export interface Changes {
  readonly happened: () => void;
  readonly observe: (listener: () => void) => () => void;
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  let scheduled = false;

  function report(): void {
    scheduled = false;
    for (const listener of [...listeners]) listener();
  }

  return {
    happened() {
      if (scheduled || listeners.size === 0) return;
      scheduled = true;
      nextTurn(report);
    },
    observe(listener) {
      const own = (): void => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };
}
