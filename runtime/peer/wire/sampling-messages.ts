import type { JsonObject } from '../../tasks/index.js';
import { member } from './json.js';

/**
 * What is wrong with how the messages of `sampling/createMessage` use tools, which the schemas do not say. A message
 * with results holds nothing else, and each use gets its result in the message that follows.
 */
export function toolUseProblem({ messages }: JsonObject): string | undefined {
  if (!Array.isArray(messages)) return undefined;
  let open: readonly unknown[] = [];
  for (const [index, message] of messages.entries()) {
    const blocks = [member(message, 'content')].flat();
    const used = idsIn(blocks, 'tool_use', 'id');
    const answered = idsIn(blocks, 'tool_result', 'toolUseId');
    const at = `/messages/${index}/content`;
    if (answered.length > 0 && answered.length < blocks.length) {
      return `${at}: a message with a tool_result holds no other content`;
    }
    const missing = open.find((id) => !answered.includes(id));
    if (missing !== undefined) return `${at}: has no tool_result for ${JSON.stringify(missing)}`;
    const foreign = answered.find((id) => !open.includes(id));
    if (foreign !== undefined) {
      return `${at}: ${JSON.stringify(foreign)} is no tool_use of the message before`;
    }
    open = used;
  }
  return open.length === 0
    ? undefined
    : `/messages/${messages.length}: missing, the last message has a tool_use without a result`;
}

function idsIn(blocks: readonly unknown[], type: string, id: string): readonly unknown[] {
  return blocks.filter((block) => member(block, 'type') === type).map((block) => member(block, id));
}
