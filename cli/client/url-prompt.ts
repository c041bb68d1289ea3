import { openInBrowser } from './browser.js';
import type { ElicitRequestURLParams, ElicitResult } from '../../generated/2025-11-25/index.js';
import { choose, indented, untilAnswered } from './prompts.js';
import type { Prompting } from './prompts.js';
import { plain } from './text.js';

/** Shows an address in full, and opens it only when the user agrees. */
export async function askUrl(
  { message, url }: ElicitRequestURLParams,
  prompting: Prompting,
): Promise<ElicitResult> {
  const { err } = prompting.io;
  err.write(`\nThe server asks you to visit an address:\n${indented(message)}\n`);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    err.write(`It is no web address: ${plain(url)}\n`);
    return { action: 'decline' };
  }
  // As a browser would read it: letters that look like others are spelt out.
  err.write(`\n  ${plain(parsed.href)}\n\n  This leads to ${parsed.host}.\n`);
  if (/(?:^|\.)xn--/.test(parsed.hostname)) {
    err.write('  Its name has letters that may look like those of another address.\n');
  }
  const ask = async (): Promise<ElicitResult> => {
    const wanted = await choose(
      'Open it in the browser?',
      [
        { value: 'open', label: 'Open it' },
        { value: 'self', label: 'I open it myself' },
        { value: 'decline', label: 'Decline' },
      ],
      prompting,
    );
    if (wanted === 'decline') return { action: 'decline' };
    if (wanted === 'open') openInBrowser(parsed.href);
    return { action: 'accept' };
  };
  return await untilAnswered(ask, () => ({ action: 'cancel' }), prompting);
}
