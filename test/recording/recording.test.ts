import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { callsIn } from '../../scripts/recording/calls.js';
import { quickStart } from '../../scripts/recording/quick-start.js';
import { svgOf } from '../../scripts/recording/svg.js';
import { Terminal } from '../../scripts/recording/terminal.js';
import { timelineOf } from '../../scripts/recording/timeline.js';

const MAX_BYTES = 100_000;

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');

const ENTITIES = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };

/** The rows that the image shows in the end, from the first to the last; commands start with `$ `. */
function rowsOf(svg: string): string[] {
  const texts = [...svg.matchAll(/<text class="([^"]*)"[^>]*>(.*?)<\/text>/g)];
  return texts
    .filter(([, kind = '']) => kind === 'c' || (kind.startsWith('a ') && !kind.includes(' h ')))
    .map(([, , text = '']) => text.replace(/<[^>]*>/g, ''))
    .map((text) =>
      text.replace(/&\w+;/g, (entity) => ENTITIES[entity as keyof typeof ENTITIES] ?? entity),
    );
}

describe('docs/quick-start.svg', () => {
  const svg = read('docs/quick-start.svg');
  const scenes = quickStart(read('README.md'));
  const rows = rowsOf(svg);
  const advice =
    'Run npm run recording: docs/quick-start.svg is not the quick start of the README.';

  it('shows the commands of the README', () => {
    const shown = rows.filter((row) => row.startsWith('$ ')).map((row) => row.slice(2));
    const wanted = scenes.flatMap(({ commands }) => commands);
    expect(wanted.length).toBeGreaterThan(5);
    expect(shown, advice).toEqual(wanted);
  });

  it.each(scenes.map(({ commands, printed }) => [commands.at(-1) ?? '', printed] as const))(
    'shows what the README says that %s prints',
    (command, printed) => {
      const after = rows.slice(rows.indexOf(`$ ${command}`) + 1);
      const end = after.findIndex((row) => row.startsWith('$ '));
      const output = end < 0 ? after : after.slice(0, end);
      expect(printed).not.toBe('');
      expect(output.join('\n'), advice).toBe(printed);
    },
  );
});

describe('docs/call.svg', () => {
  it('shows the calls of the README, and that the user is asked', () => {
    const rows = rowsOf(read('docs/call.svg'));
    const wanted = callsIn(read('README.md'));
    expect(wanted.length).toBe(2);
    const advice = 'Run npm run recording call.svg: the image has not the calls of the README.';
    const shown = rows.filter((row) => row.startsWith('$ ')).map((row) => row.slice(2));
    expect(shown, advice).toEqual(wanted);
    expect(rows).toContain('Echo: Hello');
    expect(rows.join('\n')).toContain('"name": "Ann"');
  });
});

describe.each(['quick-start.svg', 'call.svg'])('docs/%s', (file) => {
  const svg = read(`docs/${file}`);

  it('loads nothing, names no folder of a machine, and is small', () => {
    expect(svg.length).toBeLessThanOrEqual(MAX_BYTES);
    expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(
      /https?:|url\(|@import|<script|<image|href=/,
    );
    expect(svg).not.toMatch(/\/(?:tmp|root|home|Users|var|work)\//);
  });

  it('is readable in light and dark, and shows the last screen without animation', () => {
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    expect(svg).toContain('@media (prefers-reduced-motion:reduce)');
  });
});

describe('the terminal of the recording', () => {
  const screen = (text: string): string[] => {
    const terminal = new Terminal(10, 4);
    terminal.write(text);
    return terminal.rows.map((row) =>
      row
        .map(({ character }) => character)
        .join('')
        .trimEnd(),
    );
  };

  it.each([
    ['lines', 'one\r\ntwo', ['one', 'two']],
    ['a line that is written again', 'wait\rdone', ['done']],
    ['a line that is erased', 'wait\r\u001b[Kok', ['ok']],
    ['a spinner that goes up', 'one\r\ntwo\r\n\u001b[2A\u001b[2K1', ['1', 'two', '']],
    ['an erased rest of the screen', 'one\r\ntwo\r\nthree\u001b[1A\r\u001b[J', ['one', '', '']],
    ['a column', 'abc\u001b[2Gx\u001b[1Cy', ['axcy']],
    ['long lines', '1234567890ab', ['1234567890', 'ab']],
    ['titles and modes, which show nothing', '\u001b]2;title\u0007\u001b[?25lok', ['ok']],
    ['wide characters', '✓ 🎉', ['✓ 🎉']],
  ])('shows %s', (_, text, rows) => {
    expect(screen(text)).toEqual(rows);
  });

  it('keeps colours', () => {
    const terminal = new Terminal(10, 4);
    terminal.write('\u001b[32m\u001b[1ma\u001b[22mb\u001b[0mc\u001b[90md');
    expect(terminal.rows[0]?.map(({ style }) => style)).toEqual(['green bold', 'green', '', 'dim']);
  });
});

describe('the timeline', () => {
  const recorded = [
    {
      command: 'count',
      seconds: 60,
      chunks: [
        { at: 0, text: 'one' },
        { at: 30, text: '\rtwo\r\n' },
        { at: 59, text: '<three>\r\n' },
      ],
    },
  ];

  it('shortens waits, in the same order', () => {
    const { shown, length } = timelineOf(recorded, 20, 2);
    expect(length).toBeLessThan(10);
    const texts = shown.map(({ cells, from, until }) => ({
      text: cells.map(({ character }) => character).join(''),
      from,
      until,
    }));
    expect(texts.map(({ text }) => text)).toEqual(['$ count', 'one', 'two', '<three>']);
    const [, one, two, three] = texts;
    expect(one?.until).toBe(two?.from);
    expect(two?.until).toBeUndefined();
    expect(two?.from).toBeLessThan(three?.from ?? 0);
  });

  it('becomes an image that scrolls', () => {
    const timeline = timelineOf(recorded, 20, 2);
    expect(timeline.scrolls.at(-1)?.top).toBe(2);
    const svg = svgOf(timeline, { columns: 20, rows: 2, title: 'A & B' });
    expect(rowsOf(svg)).toEqual(['$ count', 'two', '<three>']);
    expect(svg).toContain('A &amp; B');
    expect(svg).toContain('translateY(-40px)');
  });
});
