import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

import * as core from '../../generated/2025-11-25/protocol.js';
import * as ext from '../../generated/2026-07-28/protocol.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RESERVED: readonly (string | number)[] = [core, ext].flatMap(({ ERROR_CODES, META_KEYS }) => [
  ...Object.values(ERROR_CODES),
  ...Object.values(META_KEYS),
]);

function code(file: string): string {
  return readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

it.each(['runtime/server', 'runtime/wire'])(
  '%s takes error codes and reserved _meta keys from the generated tables',
  (room) => {
    const files = readdirSync(root + room, { recursive: true, encoding: 'utf8' });
    const typed = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = code(`${root}${room}/${file}`);
        return RESERVED.filter((each) => text.includes(String(each))).map(
          (each) => `${file}: ${each}`,
        );
      });
    expect(typed).toEqual([]);
  },
);
