import { printable } from '../json-schema/text.js';
import type { Diagnostic } from '../generator/diagnostics/index.js';
import type { Stream } from './io.js';

/** Raised when a field is removed or changes its meaning. */
const SCHEMA_VERSION = 1;

/**
 * The one JSON document on stdout with `--json`. Items are written at once, in one list; the other fields
 * follow at the end.
 */
export class JsonDocument {
  /** The name of that list. */
  list: string | undefined;
  /** What was reported before the end. */
  readonly notices: Diagnostic[] = [];
  #count = 0;

  constructor(readonly stream: Stream) {}

  add(item: object): void {
    const head = `{\n  "schemaVersion": ${String(SCHEMA_VERSION)},\n`;
    const opening = this.#count === 0 ? `${head}  ${JSON.stringify(this.list)}: [` : ',';
    this.#count += 1;
    this.stream.write(`${opening}\n${indented(item, '    ')}`);
  }

  end(fields: object): void {
    if (this.#count > 0) {
      this.stream.write(`\n  ],\n${indented(fields).slice('{\n'.length)}\n`);
      return;
    }
    const list = this.list === undefined ? {} : { [this.list]: [] };
    this.stream.write(`${indented({ schemaVersion: SCHEMA_VERSION, ...list, ...fields })}\n`);
  }
}

/**
 * Escapes invisible characters, because the document contains untrusted texts and may be shown on a
 * terminal.
 */
function indented(value: object, margin = ''): string {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.map((line) => margin + printable(line)).join('\n');
}
