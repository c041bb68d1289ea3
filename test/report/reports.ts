import { readAssets } from '../../cli/assets.js';
import { PROTOCOLS } from '../../contracts/protocols/protocols.js';
import { reportPage } from '../../pages/index.js';
import { Recorder } from '../../pages/findings/index.js';
import type { RecorderOptions } from '../../pages/findings/index.js';
import { FINDINGS, Library, validateInput } from '../../contracts/validate/index.js';
import type { Finding, FindingCode, Severity } from '../../contracts/validate/index.js';

export const ASSETS = readAssets('report');

/** Everything that the command collects of these inputs, by their names. */
export async function recorderOf(
  inputs: Readonly<Record<string, string>>,
  options: RecorderOptions = { showSecrets: false },
  /** Gives each message a finding of this severity. */
  severity?: Severity,
): Promise<Recorder> {
  const recorder = new Recorder(options);
  for (const [name, text] of Object.entries(inputs)) {
    recorder.begin(name);
    const tally = await validateInput(name, bytesOf(text), {
      library: new Library(PROTOCOLS),
      onFinding: (finding) => recorder.finding(finding),
      onMessage: (checked) => {
        const found = {
          code: Object.keys(FINDINGS)[0] as FindingCode,
          severity,
          message: 'Made up',
        } as Finding;
        recorder.message(severity === undefined ? checked : { ...checked, findings: [found] });
      },
    });
    recorder.finish(tally);
  }
  return recorder;
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void> {
  yield await Promise.resolve(Buffer.from(text));
}

/** The page of one recording. */
export async function reportOf(text: string, options?: RecorderOptions): Promise<string> {
  return reportPage(await recorderOf({ 'trace.jsonl': text }, options), ASSETS);
}
