import type { TaskClient } from '../../../runtime/client/index.js';
import { savedContent } from '../content.js';
import { listOr } from '../lists.js';
import { done } from '../outcome.js';
import type { CommandResult } from '../outcome.js';
import type { CommandContext } from '../session.js';
import { blockText, plain, table } from '../text.js';

/** The prompts, with their arguments. */
export async function listPrompts(session: CommandContext): Promise<CommandResult> {
  return await session.with(await session.target(), async (client) => {
    const prompts = await listOr([], () => client.prompts());
    const text =
      prompts.length === 0 ? 'The server offers no prompts.\n' : promptTable(prompts, session.io);
    return done(text, { prompts });
  });
}

type Prompts = Awaited<ReturnType<TaskClient['prompts']>>;
type Out = Pick<CommandContext['io'], 'out'>;

/** A line for each prompt, with its arguments: `code [tone]`. */
export function promptTable(prompts: Prompts, io: Out): string {
  return table(
    prompts.map(({ name, arguments: parameters = [], description = '' }) => [
      name,
      parameters.map((each) => (each.required ? each.name : `[${each.name}]`)).join(' '),
      description,
    ]),
    io,
  );
}

/** The messages of a prompt. */
export async function getPrompt(
  session: CommandContext,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const { save, timeout } = session.settings;
  const options = { ...(timeout !== undefined && { timeout }) };
  return await session.with(await session.target(), async (client) => {
    const { messages, description } = await client.prompt(name, values, options);
    const blocks = messages.map(({ content }) => content);
    const { paths, end } = await savedContent(blocks, name, session);
    const text = messages
      .map(({ role, content }) => `${role}: ${plain(blockText(content, paths))}\n`)
      .join('\n');
    const data = {
      ...(description !== undefined && { description }),
      messages,
      ...(save !== undefined && { saved: [...paths.values()] }),
    };
    return { end, text, data };
  });
}
