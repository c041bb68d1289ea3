import { choose, PromptLeft } from './prompts.js';
import type { Prompting } from './prompts.js';
import { line } from './text.js';

/** What a server requires before it answers a request. */
export interface MoreScopes {
  /** The origin of the server. */
  readonly server: string;
  /** Those that the login would have. */
  readonly scopes: readonly string[];
}

/** Asks whether a browser may open for a login with more scopes: a server could ask for that at any time. */
export async function askStepUp(
  { server, scopes }: MoreScopes,
  prompting: Prompting,
): Promise<boolean> {
  const list = line(scopes.join(', '), 500);
  prompting.io.err.write(`\n${line(server)} requires a login with the scopes ${list}.\n`);
  try {
    return await choose(
      'Log in again?',
      [
        { value: true, label: 'Open the login page in the browser' },
        { value: false, label: 'Do not log in: the request fails' },
      ],
      prompting,
    );
  } catch (error) {
    if (error instanceof PromptLeft) return false;
    throw error;
  }
}
