import { savedContent } from '../content.js';
import { done } from '../session.js';
import type { Outcome, Session } from '../session.js';
import { blockText, plain, table } from '../text.js';
import { targetOf } from './call.js';

/** `prompts`: the prompts, with their arguments. */
export async function listPrompts(session: Session): Promise<Outcome> {
  return await session.with(targetOf(session), async (client) => {
    const prompts = await client.prompts();
    const rows = prompts.map(({ name, arguments: parameters = [], description = '' }) => [
      name,
      parameters.map((each) => (each.required ? each.name : `[${each.name}]`)).join(' '),
      description,
    ]);
    return done(rows.length === 0 ? 'The server offers no prompts.\n' : table(rows), { prompts });
  });
}

/** `prompts get`: the messages of a prompt. */
export async function getPrompt(
  session: Session,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<Outcome> {
  const { save } = session.invocation;
  return await session.with(targetOf(session), async (client) => {
    const { messages, description } = await client.prompt(name, values);
    const blocks = messages.map(({ content }) => content);
    const { paths, exit } = await savedContent(blocks, name, session);
    const text = messages
      .map(({ role, content }) => `${role}: ${plain(blockText(content, paths))}\n`)
      .join('\n');
    const data = {
      ...(description !== undefined && { description }),
      messages,
      ...(save !== undefined && { saved: [...paths.values()] }),
    };
    return { exit, text, data };
  });
}
