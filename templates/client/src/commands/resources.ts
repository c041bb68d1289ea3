import type { ContentBlock } from '@modelcontextprotocol/client';
import { savedContent } from '../content.js';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import { blockText, plain, table } from '../text.js';
import { targetOf } from './call.js';

/** `resources`: the resources, and the templates of the addresses of others. */
export async function listResources(session: Session): Promise<Outcome> {
  return await session.with(targetOf(session), async (client) => {
    const resources = await client.resources();
    const resourceTemplates = await client.resourceTemplates();
    const rows = [
      ...resources.map(({ uri, name, description = '' }) => [uri, name, description]),
      ...resourceTemplates.map(({ uriTemplate, name, description = '' }) => [
        uriTemplate,
        name,
        description,
      ]),
    ];
    const text = rows.length === 0 ? 'The server offers no resources.\n' : table(rows);
    return done(text, { resources, resourceTemplates });
  });
}

/** `resources read`: what a resource contains. */
export async function readResource(session: Session, uri: string): Promise<Outcome> {
  const { save } = session.invocation;
  return await session.with(targetOf(session), async (client) => {
    const { contents } = await client.read(uri);
    const blocks = contents.map((resource): ContentBlock => ({ type: 'resource', resource }));
    const { paths, exit } = await savedContent(blocks, uri, session);
    const text = plain(blocks.map((block) => blockText(block, paths)).join('\n'));
    const data = { contents, ...(save !== undefined && { saved: [...paths.values()] }) };
    return { exit, text: text.endsWith('\n') ? text : `${text}\n`, data };
  });
}
