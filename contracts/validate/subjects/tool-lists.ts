import { quote } from '../../../json-schema/text.js';
import { at, textAt } from '../access.js';
import { CORE_REVISION } from '../codes/scopes.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import { NOTHING } from './subject.js';
import type { AnsweredRequest, Subject } from './subject.js';

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
/** Lists that are longer are not compared with the one before. */
const MOST_NAMES = 2_000;
const LONGEST_NAMES = 200_000;

/** The names and the order of tools in lists. */
export class ToolLists implements Subject {
  /** The names of the last list that was one page. */
  #last: readonly string[] = [];

  answer({ request, result, dialect }: AnsweredRequest): readonly Breach[] {
    if (request.method !== 'tools/list') return NOTHING;
    const tools = at(result, 'tools');
    if (!Array.isArray(tools)) return NOTHING;
    const names = tools.map((tool: unknown) => textAt(tool, 'name'));
    const breaches = checkNames(names, dialect.revision >= CORE_REVISION);
    const isOnePage = request.cursor === undefined && at(result, 'nextCursor') === undefined;
    if (dialect.stateless && isOnePage) breaches.push(...this.#order(names));
    return breaches;
  }

  #order(found: readonly (string | undefined)[]): readonly Breach[] {
    const names = found.map((name) => name ?? '');
    const last = this.#last;
    const length = names.reduce((sum, name) => sum + name.length, 0);
    this.#last = names.length > MOST_NAMES || length > LONGEST_NAMES ? [] : names;
    if (names.length !== last.length || names.every((name, index) => name === last[index]))
      return NOTHING;
    const before = last.toSorted();
    if (!names.toSorted().every((name, index) => name === before[index])) return NOTHING;
    const message = 'The server lists the same tools in another order than before.';
    return [{ code: 'unstable-order', message, key: ['result', 'tools'] }];
  }
}

function checkNames(names: readonly (string | undefined)[], hasGrammar: boolean): Breach[] {
  const seen = new Set<string>();
  const breaches: Breach[] = [];
  names.forEach((name, index) => {
    if (name === undefined) return;
    const key = ['result', 'tools', index, 'name'];
    if (seen.has(name)) {
      const message = `Two tools have the name ${quote(cut(name))}.`;
      breaches.push({ code: 'duplicate-name', message, key });
    }
    seen.add(name);
    if (!hasGrammar || NAME.test(name)) return;
    const message = `The tool name ${quote(cut(name))} is hard to use: take 1 to 128 letters, digits, "_", "-" and ".".`;
    breaches.push({ code: 'bad-tool-name', message, key });
  });
  return breaches;
}
