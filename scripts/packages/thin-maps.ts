import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decode, encode } from '@jridgewell/sourcemap-codec';

/**
 * Keeps one mapping for each line in the source maps of a folder. A debugger steps by lines, and the mappings of every
 * token take as much space as the code.
 */
export function thinMaps(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.js.map')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    const thin = thinned(text);
    if (thin !== text) writeFileSync(path, thin);
  }
}

export function thinned(text: string): string {
  const map = JSON.parse(text) as { mappings: string };
  const lines = decode(map.mappings).map((segments) => segments.slice(0, 1));
  return JSON.stringify({ ...map, mappings: encode(lines) });
}
