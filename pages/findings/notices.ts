import { many, sayNumber } from '../../pages/toolkit/words.js';
import type { Recorder } from './recorder.js';

/** What a reader has to know about the report, and what the command says too. */
export function noticesOf(recorder: Recorder): string[] {
  const { inputs, sample, masked, options, timed } = recorder;
  const messages = inputs.reduce((sum, { counts }) => sum + counts.messages, 0);
  const kept = sample.rows.filter(({ number }) => number > 0).length;
  const notices: string[] = [];
  if (sample.stride > 1) {
    notices.push(
      `This is a sample: ${sayNumber(kept)} of ${many(messages, 'message')}. It has one of ${sayNumber(sample.stride)} requests with its answer, every message with a finding${sample.keepsStates ? ', and each new status of a task' : ''}. The counts are those of all messages.`,
    );
  }
  if (sample.rows.some(({ isCut }) => isCut)) {
    notices.push('Long messages are cut.');
  }
  if (options.showSecrets) {
    notices.push(
      'Secrets are shown: passwords, tokens and the answers in forms. Share this file with care.',
    );
  } else if (masked > 0) {
    notices.push(
      `${many(masked, 'secret')} masked by name or form: tokens, passwords, cookies, answers in forms. A secret in free text may remain.`,
    );
  }
  if (messages > 0 && timed === 0) {
    notices.push('The recording has no times, so the messages are in the order of the file.');
  } else if (timed < messages) {
    notices.push(`${sayNumber(timed)} of ${many(messages, 'message')} have a time.`);
  }
  return notices;
}
