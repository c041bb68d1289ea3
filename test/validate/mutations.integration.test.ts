import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHttp } from '../server/process.js';
import type { HttpProcess } from '../server/process.js';
import { recordAll } from './scenarios.js';
import type { Line } from './recording.js';
import { lines, validateText } from './support.js';

let http: HttpProcess;
let recordings: ReadonlyMap<string, readonly Line[]>;
beforeAll(async () => {
  http = await startHttp();
  recordings = await recordAll(http.url);
}, 120_000);
afterAll(() => http.stop());

it('CORE-INP-2 EXT-GET-2 finds nothing in what real servers and clients say', async () => {
  for (const [name, recording] of recordings) {
    const { findings, counts } = await validateText(lines(...recording));
    expect({ name, findings }).toEqual({ name, findings: [] });
    expect(counts.messages).toBe(recording.length);
  }
});
