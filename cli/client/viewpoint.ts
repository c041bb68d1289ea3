import type { DeclaredCapabilities, InputHandlers } from '../../runtime/client/index.js';
import { TASKS_EXTENSION } from '../../runtime/rules/messages.js';
import { quote } from '../../json-schema/text.js';
import { UsageError } from './usage.js';
import { parseObject } from './values.js';

const NAMES = ['elicitation', 'sampling', 'roots', 'tasks'] as const;
const FORMS = { elicitation: { form: {}, url: {} } } as const;

/** What the client declares whose lock does not say it: that of versions which did not write it. */
export const UNSAID: DeclaredCapabilities = { ...FORMS, ...TASKS_EXTENSION };

/**
 * The capabilities to declare while a server is looked at, because it may list more to a client that declares more: by
 * names with commas between them, `none`, or a JSON object. Default: all.
 *
 * @throws {UsageError}
 */
export function viewpointOf(written = NAMES.join(',')): DeclaredCapabilities {
  if (written.startsWith('{')) return parseObject('--capabilities', written);
  const names = written === 'none' ? [] : written.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !NAMES.some((known) => known === name));
  if (unknown !== undefined) {
    const help = `Known: ${NAMES.join(', ')}, none; or give a JSON object of capabilities.`;
    throw new UsageError(`--capabilities names an unknown capability: ${quote(unknown)}.`, help);
  }
  const [elicitation, sampling, roots, tasks] = NAMES.map((name) => names.includes(name));
  const requests = {
    ...(elicitation && { elicitation: { create: {} } }),
    ...(sampling && { sampling: { createMessage: {} } }),
  };
  return {
    ...(elicitation && FORMS),
    ...(sampling && { sampling: { tools: {}, context: {} } }),
    ...(roots && { roots: { listChanged: true } }),
    // The client sends to each server the one that its revision has.
    ...(tasks && { ...TASKS_EXTENSION, tasks: { list: {}, cancel: {}, requests } }),
  };
}

/** The code of the specification's example for a sampling request that the user rejects. */
const REJECTED = -1;

/** Answers that give a server nothing. */
export const DECLINING: InputHandlers = {
  form: () => ({ action: 'decline' }),
  url: () => ({ action: 'decline' }),
  sampling: () => {
    throw Object.assign(new Error('The client only looks at the server, and asks no model.'), {
      code: REJECTED,
    });
  },
  roots: () => ({ roots: [] }),
};
