import { hostileRecording } from '../report/hostile.js';
import { coreRecording, extRecording, jsonl, withFaults } from '../report/recordings.js';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { arguments: {} } };

/** Recordings and other texts that users paste. */
export const RECORDINGS: Readonly<Record<string, string>> = {
  'of one dialect of tasks': jsonl(withFaults(coreRecording(40), 7)),
  'of the other': jsonl(withFaults(extRecording(40), 5)),
  'without faults': jsonl(coreRecording(10)),
  'with more findings than are printed': jsonl(withFaults(coreRecording(400), 2)),
  'that is hostile': hostileRecording(),
  'that is a message': JSON.stringify(call, undefined, 2),
  'that is an array': JSON.stringify([call, { ...call, id: 2 }]),
  'that is a log': `12:00:01 --> ${JSON.stringify(call)}\nconnected\n12:00:02 <-- {"jsonrpc":`,
  'that is no recording': 'Dear all,\n{ nothing } here is JSON.\n',
  'that is empty': '',
};

/** A generated file as its emitter wrote it. */
export function withoutHeader(text: string): string {
  return text.slice(text.indexOf('\n\n') + 2);
}
