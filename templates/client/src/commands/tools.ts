import type { Tool } from '@modelcontextprotocol/client';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import { table } from '../text.js';
import { serverOf } from './call.js';

/** `tools`: what the server offers. */
export async function listTools(session: Session): Promise<Outcome> {
  return await session.with({ server: serverOf(session) }, async (client) => {
    const tools = await client.tools();
    const rows = tools.map(({ name, description = '', inputSchema }) => [
      name,
      argumentsText(inputSchema),
      description,
    ]);
    return done(rows.length === 0 ? 'The server offers no tools.\n' : table(rows), { tools });
  });
}

/** `date [room]`: what is required, and what may be left out. */
function argumentsText({ properties, required = [] }: Tool['inputSchema']): string {
  return Object.keys(properties ?? {})
    .map((name) => (required.includes(name) ? name : `[${name}]`))
    .join(' ');
}
