import { readAssets } from '../../cli/assets.js';
import { metamodelOf } from '../../generator/emit/index.js';
import type { Metamodel } from '../../generator/emit/index.js';
import { diffProtocols } from '../../generator/diff/index.js';
import { explorePage } from '../../pages/index.js';
import type { Protocol } from '../../generator/ir/index.js';
import { REVISIONS } from '../../generator/read/load/index.js';
import { readProtocol } from '../../generator/protocol/protocol.js';

export const ASSETS = readAssets('explore');

const protocols = new Map<string, Protocol>();
for (const revision of REVISIONS) protocols.set(revision, (await readProtocol(revision)).protocol);

export const MODELS: readonly Metamodel[] = [...protocols.values()].map(metamodelOf);

/** The page of a revision, with what changed since another one. */
export function pageOf(revision: string, since?: string): string {
  const [protocol, before] = [revision, since ?? ''].map((name) => protocols.get(name));
  if (!protocol) throw new Error(revision);
  const diff = before && diffProtocols(before, protocol);
  return pageFor(metamodelOf(protocol), diff);
}

export function pageFor(model: Metamodel, diff?: ReturnType<typeof diffProtocols>): string {
  return explorePage({ model, revisions: MODELS, ...(diff && { diff }) }, ASSETS);
}

/** Texts that would run or load something, if a page did not escape them. */
export const HOSTILE: readonly string[] = [
  '<script>globalThis.broken = 1</script>',
  '</script><script>globalThis.broken = 1</script>',
  '</style><script>globalThis.broken = 1</script>',
  '<img src=x onerror="globalThis.broken = 1">',
  '" onfocus="globalThis.broken = 1" autofocus="',
  "' onmouseover='globalThis.broken = 1",
  '--><svg onload="globalThis.broken = 1">',
  '<link rel=stylesheet href=https://example.com/x.css>',
  '<iframe src="javascript:parent.broken = 1"></iframe>',
  '<base href="https://example.com/">',
  '<meta http-equiv="refresh" content="0;url=https://example.com/">',
  '&lt;b&gt; &#x3c;script&#x3e;',
  '`</code><script>globalThis.broken = 1</script>`',
  '{@link Tool"><script>globalThis.broken = 1</script>}',
  '${globalThis.broken = 1}',
  '\u202e\u2066hidden\u2069\u0000\u001b[31m\ud800',
];
