/* eslint-disable @typescript-eslint/no-explicit-any -- mutations change messages of any shape */
import type { Line, Message } from '../recording.js';

/** A line of a recording, with a name for mutations. */
interface Named extends Line {
  readonly name: string;
  /** Milliseconds since the start. */
  readonly time: number;
}

/** A recording that is written by hand, and that mutations change by the names of its lines. */
export class Tape {
  #lines: Named[] = [];

  client(name: string, message: Message): void {
    this.#add('client', name, message);
  }

  server(name: string, message: Message): void {
    this.#add('server', name, message);
  }

  /** Changes a message. */
  edit(name: string, change: (message: any) => void): this {
    change(this.#line(name).message);
    return this;
  }

  drop(name: string): this {
    this.#lines.splice(this.#at(name), 1);
    return this;
  }

  /** Puts a line behind another. */
  move(name: string, after: string): this {
    const [line] = this.#lines.splice(this.#at(name), 1);
    if (line) this.#lines.splice(this.#at(after) + 1, 0, line);
    return this;
  }

  insert(after: string, direction: Line['direction'], message: Message): this {
    const { time } = this.#line(after);
    this.#lines.splice(this.#at(after) + 1, 0, { name: '', time, direction, message });
    return this;
  }

  /** Repeats a line behind another, with a change. */
  repeat(name: string, after: string, change: (message: any) => void = () => undefined): this {
    const { direction, message } = structuredClone(this.#line(name));
    change(message);
    return this.insert(after, direction, message);
  }

  /** Sets the time of a line, in milliseconds since the start. */
  at(name: string, time: number): this {
    this.#lines[this.#at(name)] = { ...this.#line(name), time };
    return this;
  }

  timeOf(name: string): number {
    return this.#line(name).time;
  }

  /** As JSON Lines. */
  text(): string {
    return this.#lines
      .map(({ direction, message, time }) => {
        const to = direction === 'client' ? 'server' : 'client';
        const at = new Date(Date.UTC(2026, 7, 1) + time).toISOString();
        return `${JSON.stringify({ time: at, direction: `${direction}->${to}`, message })}\n`;
      })
      .join('');
  }

  get lines(): readonly Line[] {
    return this.#lines;
  }

  #add(direction: Line['direction'], name: string, message: Message): void {
    if (this.#lines.some((line) => line.name === name)) throw new Error(`Two lines named ${name}`);
    const time = this.#lines.length * 1000;
    this.#lines.push({
      name,
      time,
      direction,
      message: structuredClone({ jsonrpc: '2.0', ...message }),
    });
  }

  #at(name: string): number {
    const index = this.#lines.findIndex((line) => line.name === name);
    if (index < 0) throw new Error(`No line named ${name}`);
    return index;
  }

  #line(name: string): Named {
    return this.#lines[this.#at(name)] as Named;
  }
}
