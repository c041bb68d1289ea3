import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { TRAFFIC, TRAFFIC_REVISIONS } from '../../bench/validate/traffic.js';
import type { Sample, TrafficRevision } from '../../bench/validate/traffic.js';

const CHROMIUM = '/usr/bin/chromium';
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The code of the page: `judge(revision, samples)` returns all verdicts on each sample. */
const ENTRY = `
${TRAFFIC_REVISIONS.map((revision, i) => {
  const folder = fileURLToPath(new URL(`../../generated/${revision}`, import.meta.url));
  return `
import * as validators${String(i)} from ${JSON.stringify(`${folder}/validators.ts`)};
import * as zod${String(i)} from ${JSON.stringify(`${folder}/zod.ts`)};`;
}).join('')}
const modules = {
${TRAFFIC_REVISIONS.map((revision, i) => `  '${revision}': [validators${String(i)}, zod${String(i)}],\n`).join('')}};
globalThis.judge = (revision, samples) => {
  const [validators, zod] = modules[revision];
  return samples.map(({ text, from, answers, definition }) => {
    const value = JSON.parse(text);
    return JSON.stringify([
      validators.validateMessage(value, { from, methodOf: () => answers, formats: true }),
      validators.decode(text, { from, methodOf: () => answers }),
      validators.decode(new TextEncoder().encode(text), { from }).ok,
      validators['is' + definition](value),
      zod[definition + 'Schema'].safeParse(value).success,
    ]);
  });
};
`;

/** Shows that the page's policy is in force. */
const TRIES_EVAL = `
try { globalThis.evaluated = eval('true'); } catch { globalThis.evaluated = false; }
`;

/** A message for the page, with a definition to check. */
interface Given {
  readonly text: string;
  readonly from: Sample['from'];
  readonly answers?: string;
  readonly definition: string;
}

type Judge = (revision: TrafficRevision, samples: readonly Given[]) => string[];

/** Each message, and its variants with one kind of inner values replaced. */
function given(revision: TrafficRevision): Given[] {
  return TRAFFIC[revision].flatMap(({ message, from, answers }) => {
    const text = JSON.stringify(message);
    const definition =
      answers !== undefined
        ? 'JSONRPCResultResponse'
        : 'id' in message
          ? 'JSONRPCRequest'
          : 'JSONRPCNotification';
    return [
      text,
      text.replaceAll('"text"', '"test"'),
      text.replaceAll('"name":"', '"name":1,"was":"'),
      text.replace('"jsonrpc":"2.0"', '"jsonrpc":2'),
      text.replace('file:///srv', 'not a link'),
    ].map((each) => ({ text: each, from, definition, ...(answers !== undefined && { answers }) }));
  });
}

let bundled = '';
beforeAll(async () => {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    write: false,
    logLevel: 'error',
  });
  bundled = outputFiles[0]?.text ?? '';
});

/** The verdicts of Node, in a context without Node's globals and without eval. */
function inNode(revision: TrafficRevision): string[] {
  const context = createContext(
    { TextDecoder, TextEncoder, URL, atob },
    { codeGeneration: { strings: false, wasm: false } },
  );
  runInContext(bundled, context);
  return (context as { readonly judge: Judge }).judge(revision, given(revision));
}

describe.each(TRAFFIC_REVISIONS)('in a page, the validators of %s', (revision) => {
  it('use no Node API and no eval', async () => {
    const path = fileURLToPath(
      new URL(`../../generated/${revision}/validators.ts`, import.meta.url),
    );
    const { outputFiles, metafile } = await build({
      entryPoints: [path],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      metafile: true,
    });
    const folders = Object.keys(metafile.inputs).map((input) =>
      input.split('/').slice(0, -1).join('/'),
    );
    expect(new Set(folders)).toEqual(new Set([`generated/${revision}`, 'generated/support']));
    expect(outputFiles[0]?.text).not.toMatch(
      /\beval\b|\bFunction\(|\brequire\b|\bimport\b|\bprocess\b|\bBuffer\b|\bnode:/,
    );
  });

  it('run under a policy that forbids eval', () => {
    const verdicts = inNode(revision).map((each) => (JSON.parse(each) as [{ ok: boolean }])[0].ok);
    expect(new Set(verdicts)).toEqual(new Set([true, false]));
  });

  it.skipIf(!existsSync(CHROMIUM))(
    `say in Chromium what they say in Node (skipped without ${CHROMIUM})`,
    async () => {
      const browser = await chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
      try {
        const page = await browser.newPage();
        await page.route('**/*', (route) =>
          route.fulfill({
            headers: { 'Content-Security-Policy': "script-src 'self'" },
            ...(new URL(route.request().url()).pathname === '/judge.js'
              ? { contentType: 'text/javascript', body: `${bundled}${TRIES_EVAL}` }
              : { contentType: 'text/html', body: '<script src="/judge.js"></script>' }),
          }),
        );
        await page.goto('http://localhost/');
        expect(await page.evaluate(() => (globalThis as { evaluated?: boolean }).evaluated)).toBe(
          false,
        );
        const said = await page.evaluate(
          ([name, samples]) => (globalThis as unknown as { judge: Judge }).judge(name, samples),
          [revision, given(revision)] as const,
        );
        expect(said).toEqual(inNode(revision));
        expect(said.length).toBe(TRAFFIC[revision].length * 5);
      } finally {
        await browser.close();
      }
    },
  );
});
