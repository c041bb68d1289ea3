import type { ContentBlock } from '../../../runtime/client/index.js';
import type { TaskClient } from '../../../runtime/client/index.js';
import { savedContent } from '../content.js';
import { listOr } from '../lists.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { CommandContext } from '../session.js';
import { blockText, plain, table } from '../text.js';

/** The resources, and the templates of addresses of further ones. */
export async function listResources(session: CommandContext): Promise<CommandResult> {
  return await session.with(await session.target(), async (client) => {
    const resources = await listOr([], () => client.resources());
    const resourceTemplates = await listOr([], () => client.resourceTemplates());
    const text =
      resources.length + resourceTemplates.length === 0
        ? 'The server offers no resources.\n'
        : resourceTable(resources, resourceTemplates, session.io);
    return done(text, { resources, resourceTemplates });
  });
}

/** A line for each resource and for each template of addresses. */
export function resourceTable(
  resources: Awaited<ReturnType<TaskClient['resources']>>,
  templates: Awaited<ReturnType<TaskClient['resourceTemplates']>>,
  io: Pick<CommandContext['io'], 'out'>,
): string {
  return table(
    [
      ...resources.map(({ uri, name, description = '' }) => [uri, name, description]),
      ...templates.map(({ uriTemplate, name, description = '' }) => [
        uriTemplate,
        name,
        description,
      ]),
    ],
    io,
  );
}

/** The contents of a resource. */
export async function readResource(session: CommandContext, uri: string): Promise<CommandResult> {
  const { save, timeout } = session.settings;
  return await session.with(await session.target(), async (client) => {
    const { contents } = await client.read(uri, { ...(timeout !== undefined && { timeout }) });
    const blocks = contents.map((resource): ContentBlock => ({ type: 'resource', resource }));
    const { paths, end } = await savedContent(blocks, uri, session);
    const text = plain(blocks.map((block) => blockText(block, paths)).join('\n'));
    const data = { contents, ...(save !== undefined && { saved: [...paths.values()] }) };
    return { end, text: text.endsWith('\n') ? text : `${text}\n`, data };
  });
}
