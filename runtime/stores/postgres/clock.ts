/**
 * The time of the PostgreSQL server, as this process estimates it. The estimate uses only the monotonic
 * clock of this process, so setting its wall clock changes nothing.
 */
export interface ServerClock {
  /** Whole milliseconds since the epoch. */
  now(): number;
  /** Runs a statement that returns the server's time, in milliseconds, and corrects the estimate by it. */
  observe<T>(ask: () => Promise<T>, timeIn: (answer: T) => number): Promise<T>;
}

export function createServerClock(monotonic = (): number => performance.now()): ServerClock {
  /** The server's time minus the monotonic time. */
  let offset: number | undefined;

  return {
    now() {
      if (offset === undefined) throw new Error('The time of the server is not known yet');
      return Math.floor(monotonic() + offset);
    },
    async observe(ask, timeIn) {
      const sent = monotonic();
      const answer = await ask();
      const [least, most] = [timeIn(answer) - monotonic(), timeIn(answer) - sent];
      // The server read its clock somewhere in between. An estimate that may be right is kept, so that slow
      // answers do not disturb it.
      offset = Math.min(Math.max(offset ?? (least + most) / 2, least), most);
      return answer;
    },
  };
}
