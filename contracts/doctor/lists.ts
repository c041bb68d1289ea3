import { LISTS } from '../../runtime/rules/messages.js';
import type { JsonObject } from '../../runtime/client/index.js';
import { isRecord } from '../validate/index.js';
import { ask } from './ask.js';
import type { Probing } from './ask.js';

export type Lists = Readonly<Record<keyof typeof LISTS, readonly JsonObject[]>>;

const MOST_PAGES = 200;
const MOST_ENTRIES = 5_000;

/** All pages of the lists that the server declares. */
export async function readLists(probing: Probing): Promise<Lists> {
  const lists: Record<string, readonly JsonObject[]> = {};
  for (const [member, { feature, method }] of Object.entries(LISTS)) {
    const has = Object.hasOwn(probing.client.server.capabilities, feature);
    lists[member] = has ? await pages(probing, method, member) : [];
  }
  return lists as Lists;
}

/** The lists of which the server declares that it has them. */
export function declaredLists({ client }: Probing): readonly string[] {
  const { capabilities } = client.server;
  const declared = Object.values(LISTS).filter(({ feature }) =>
    Object.hasOwn(capabilities, feature),
  );
  return declared.map(({ method }) => method);
}

async function pages(
  probing: Probing,
  method: string,
  member: string,
): Promise<readonly JsonObject[]> {
  const entries: JsonObject[] = [];
  const seen = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const answer = await ask(probing, method, cursor === undefined ? {} : { cursor });
    const { kind, evidence } = answer;
    if (kind !== 'result') {
      if (kind !== 'unclear') refused(probing, method, kind, evidence);
      return entries;
    }
    const page = answer.result[member];
    if (Array.isArray(page)) entries.push(...(page as unknown[]).filter(isRecord));
    const { nextCursor } = answer.result;
    if (typeof nextCursor !== 'string' || probing.deadline.isOver) return entries;
    if (seen.has(nextCursor) || seen.size >= MOST_PAGES || entries.length > MOST_ENTRIES) {
      const message = seen.has(nextCursor)
        ? `${method} does not end: a page has the cursor of an earlier one.`
        : `${method} has more than ${String(MOST_PAGES)} pages or ${String(MOST_ENTRIES)} entries. The others were not read.`;
      const severity = seen.has(nextCursor) ? 'error' : 'note';
      probing.report({ severity, code: 'endless-list', message, evidence });
      return entries;
    }
    seen.add((cursor = nextCursor));
  }
}

function refused(
  { report }: Probing,
  method: string,
  kind: 'error' | 'none',
  evidence: readonly string[],
): void {
  // The capability is that of resources, and a server may have no templates.
  const isOptional = method === LISTS.resourceTemplates.method && kind === 'error';
  report({
    severity: isOptional ? 'warning' : 'error',
    code: kind === 'none' ? 'no-answer' : 'refused-list',
    message:
      kind === 'none'
        ? `The server does not answer ${method}.`
        : `The server declares the capability of ${method}, and refuses it.`,
    evidence,
  });
}
