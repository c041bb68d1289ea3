import { openInBrowser } from './browser.js';
import type { ClientIo } from './io.js';
import type { Settings } from './settings.js';
import { plain } from './text.js';

/** Prints the address of a login page, and opens it for a user at this terminal. */
export function showLogin(
  address: URL,
  { err, terminal }: Pick<ClientIo, 'err' | 'terminal'>,
  { mayAsk }: Pick<Settings, 'mayAsk'>,
): void {
  err.write(`Log in at ${address.host} with your browser:\n\n  ${plain(address.href)}\n\n`);
  if (terminal !== undefined && mayAsk) openInBrowser(address.href);
}
