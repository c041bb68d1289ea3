import type { Slot } from './executor.js';

const NO_SLOT: Slot = { leave: () => undefined, enter: (resume) => resume() };

/** A handler's use of its slot. The handler leaves the slot while it waits for answers or pauses. */
export class SlotUse {
  slot: Slot;
  #waits = 0;

  constructor(slot: Slot = NO_SLOT) {
    this.slot = slot;
  }

  get isWaiting(): boolean {
    return this.#waits > 0;
  }

  /** The handler waits for one more answer or pause. */
  leave(): void {
    if (this.#waits === 0) this.slot.leave();
    this.#waits += 1;
  }

  /** `waits` of its answers or pauses have come. Calls `resume` once the handler has a slot. */
  enter(resume: () => void, waits = 1): void {
    this.#waits -= waits;
    if (this.#waits === 0) this.slot.enter(resume);
    else resume();
  }
}
