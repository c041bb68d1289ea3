import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** The custom properties of a style sheet by name, those of the light and of the dark scheme. */
function coloursIn(path: string): ReadonlyMap<string, readonly string[]> {
  const colours = new Map<string, string[]>();
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  for (const [, name = '', colour = ''] of text.matchAll(/(--[a-z]+): (#[0-9a-f]{6});/g)) {
    colours.set(name, [...(colours.get(name) ?? []), colour]);
  }
  return colours;
}

// The runtime may not import the generator, so the board has colours of its own.
it('the board has the colours of the other pages', () => {
  const board = coloursIn('runtime/board/page/board.css');
  const shared = [...coloursIn('generator/page/style/base.css')].filter(([name]) =>
    board.has(name),
  );
  expect(shared.length).toBeGreaterThan(5);
  for (const [name, colours] of shared)
    expect({ name, colours: board.get(name) }).toEqual({ name, colours });
});
