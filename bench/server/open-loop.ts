import type { Flow } from './flows.js';
import { openWire } from './wire.js';

/** Work at a fixed rate, however long the answers take. */
export interface Load {
  readonly url: string;
  readonly flow: Flow;
  readonly perSecond: number;
  /** The length in milliseconds. */
  readonly ms: number;
  readonly connections: number;
  /**
   * How to wait until the next unit is due. `spin` keeps a core busy and is exact; `sleep` leaves the core to other
   * processes and sends what is due once a millisecond.
   */
  readonly wait: 'spin' | 'sleep';
}

export interface Answered {
  /** Milliseconds of each unit of work. A unit that found no free connection counts from when it was due. */
  readonly delays: readonly number[];
  /** Units answered per second. */
  readonly perSecond: number;
}

export async function openLoop({
  url,
  flow,
  perSecond,
  ms,
  connections,
  wait,
}: Load): Promise<Answered> {
  const wires = await Promise.all(Array.from({ length: connections }, () => openWire(url)));
  const free = [...wires];
  const delays: number[] = [];
  const running = new Set<Promise<void>>();
  const begun = performance.now();
  let sent = 0;

  const dueAt = (unit: number): number => begun + (unit / perSecond) * 1_000;

  /** Sends what is due, as far as connections are free. */
  function send(late: boolean): void {
    for (;;) {
      const [due, now] = [dueAt(sent), performance.now()];
      if (due > now || now > begun + ms) return;
      const wire = free.pop();
      if (wire === undefined) return;
      sent += 1;
      const from = late ? due : now;
      const work = flow(wire.ask).then(() => {
        delays.push(performance.now() - from);
        running.delete(work);
        free.push(wire);
        send(true);
      });
      running.add(work);
    }
  }

  while (performance.now() < begun + ms) {
    const wasFree = free.length > 0;
    send(!wasFree);
    const soon = wait === 'spin' && dueAt(sent) - performance.now() < 2;
    await new Promise((resolve) => (soon ? setImmediate(resolve) : setTimeout(resolve, 1)));
  }
  await Promise.all(running);
  const spent = performance.now() - begun;
  for (const { close } of wires) close();
  return { delays, perSecond: (delays.length / spent) * 1_000 };
}
