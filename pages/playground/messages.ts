import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { summaryText } from '../findings/summary.js';
import { PLAIN } from '../../generator/diagnostics/index.js';
import { reportPage } from '../index.js';
import type { Assets } from '../index.js';
import { Recorder } from '../findings/index.js';
import {
  findingAsText,
  Library,
  mergeCounts,
  mergeRows,
  validateChunks,
} from '../../contracts/validate/index.js';
import type { Counts, Severity, Tally } from '../../contracts/validate/index.js';
import type { MessagesAnswer, MessagesQuestion } from './questions.js';

/** What findings and reports call the pasted text. */
const PASTED = 'pasted';
/** As `--max-errors` of `validate` by default. The report has more. */
const MOST_FINDINGS = 100;
const CHUNK = 64 * 1024;

/** Checks messages as `mcp-codegen validate` does. `assets` are those of reports. */
export async function checkMessages(
  { text, revision, extension, from }: MessagesQuestion,
  assets: Assets,
): Promise<MessagesAnswer> {
  const recorder = new Recorder({ showSecrets: false });
  const findings: { severity: Severity; text: string }[] = [];
  let omitted = 0;
  recorder.begin(PASTED);
  const active = PROTOCOLS.extensions.filter(({ name }) => name === extension);
  const tally = await validateChunks(PASTED, () => chunksOf(text), {
    library: new Library(PROTOCOLS),
    revision,
    extensions: active.map(({ id }) => id),
    from,
    onFinding: (finding) => {
      recorder.finding(finding);
      if (findings.length === MOST_FINDINGS) omitted += 1;
      else findings.push({ severity: finding.severity, text: findingAsText(finding, PLAIN) });
    },
    onMessage: (checked) => recorder.message(checked),
  });
  recorder.finish(tally);
  const counts = mergeCounts([tally]);
  return {
    verdict: verdictOf(tally, counts),
    findings,
    summary: summaryText(counts, mergeRows([tally]), omitted, PLAIN),
    report: reportPage(recorder, assets),
  };
}

function verdictOf({ findings }: Tally, { messages }: Counts): MessagesAnswer['verdict'] {
  if (findings.error > 0) return 'invalid';
  if (findings.unclear > 0) return 'unclear';
  return messages === 0 ? 'none' : 'valid';
}

// A generator that waits for nothing, because the checks take files too.
// eslint-disable-next-line @typescript-eslint/require-await
async function* chunksOf(text: string): AsyncGenerator<Uint8Array, void> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
}
