/** Colours that the recording shows; the others become the usual one. */
const COLOURS = ['', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', ''];

/** CSS classes, separated by spaces. */
export type Style = string;

export interface Cell {
  readonly character: string;
  readonly style: Style;
}

/** A row of the screen. */
export type Row = readonly Cell[];

const SEQUENCE =
  // eslint-disable-next-line no-control-regex
  /\x1b\[([?>]?)([\d;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78]|[\x00-\x1f]|[^\x00-\x1f\x1b]/gu;

/**
 * Interprets the output of programs as a terminal does: text, colours, and the movements that spinners
 * and progress bars use. Keeps every row that has scrolled out of sight.
 */
export class Terminal {
  readonly rows: Cell[][] = [[]];
  #x = 0;
  #y = 0;
  #bold = false;
  #dim = false;
  #colour = '';

  constructor(
    readonly columns: number,
    readonly height: number,
  ) {}

  /** Returns the numbers of the rows that changed. */
  write(text: string): Set<number> {
    const changed = new Set<number>();
    for (const [token, prefix, parameters = '', letter] of text.matchAll(SEQUENCE)) {
      if (letter !== undefined) {
        if (prefix === '') this.#control(letter, parameters.split(';').map(Number), changed);
      } else if (token === '\r') this.#x = 0;
      else if (token === '\n') this.#moveTo(this.#y + 1);
      else if (token === '\b') this.#x = Math.max(0, this.#x - 1);
      else if (token >= ' ') this.#put(token, changed);
    }
    return changed;
  }

  #put(character: string, changed: Set<number>): void {
    if (this.#x >= this.columns) {
      this.#x = 0;
      this.#moveTo(this.#y + 1);
    }
    const row = this.#row();
    while (row.length < this.#x) row.push({ character: ' ', style: '' });
    row[this.#x] = { character, style: this.#style() };
    this.#x += 1;
    changed.add(this.#y);
  }

  #control(letter: string, numbers: readonly number[], changed: Set<number>): void {
    const [count = 0] = numbers;
    const times = Math.max(1, count);
    if (letter === 'm') numbers.forEach((number) => this.#select(number));
    else if (letter === 'A') this.#moveTo(Math.max(this.#top(), this.#y - times));
    else if (letter === 'B') this.#moveTo(this.#y + times);
    else if (letter === 'C') this.#x += times;
    else if (letter === 'D') this.#x = Math.max(0, this.#x - times);
    else if (letter === 'G') this.#x = times - 1;
    else if (letter === 'K') this.#erase(count, changed);
    else if (letter === 'J' && count === 0) this.#eraseBelow(changed);
  }

  #erase(part: number, changed: Set<number>): void {
    const row = this.#row();
    if (part === 0) row.length = Math.min(row.length, this.#x);
    else row.length = 0;
    changed.add(this.#y);
  }

  #eraseBelow(changed: Set<number>): void {
    this.#erase(0, changed);
    for (let y = this.#y + 1; y < this.rows.length; y += 1) {
      this.rows[y] = [];
      changed.add(y);
    }
  }

  #select(number: number): void {
    if (number === 0) [this.#bold, this.#dim, this.#colour] = [false, false, ''];
    else if (number === 1) this.#bold = true;
    else if (number === 2) this.#dim = true;
    else if (number === 22) [this.#bold, this.#dim] = [false, false];
    else if (number === 39 || number === 49) this.#colour = '';
    else if (number === 90) this.#dim = true;
    // A background is shown as the text's colour.
    else if (number >= 30 && number < 48) this.#colour = COLOURS[number % 10] ?? '';
    else if (number > 90 && number < 108) this.#colour = COLOURS[number % 10] ?? '';
  }

  #style(): Style {
    const classes = [this.#colour, this.#bold ? 'bold' : '', this.#dim ? 'dim' : ''];
    return classes.filter(Boolean).join(' ');
  }

  /** The first row on the screen. */
  #top(): number {
    return Math.max(0, this.rows.length - this.height);
  }

  #moveTo(y: number): void {
    this.#y = y;
    while (this.rows.length <= y) this.rows.push([]);
  }

  #row(): Cell[] {
    return (this.rows[this.#y] ??= []);
  }
}
