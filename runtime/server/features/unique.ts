import { isObject } from '../../peer/wire/json.js';
import type { ServerPrompt, ServerResource } from '../offered.js';

/**
 * @throws {TypeError} for a resource or prompt that `defineResource`, `defineResourceTemplate` or `definePrompt` did not
 *   make, and for two of one name or URI.
 */
export function assertUnique(
  resources: readonly ServerResource[],
  prompts: readonly ServerPrompt[],
): void {
  assertEach('resources', 'defineResource or defineResourceTemplate', 'read', resources);
  assertEach('prompts', 'definePrompt', 'get', prompts);
  const uris = resources.map((each) => (each.kind === 'resource' ? each.uri : each.uriTemplate));
  assertNoneTwice('resources have the URI', uris);
  assertNoneTwice(
    'prompts are called',
    prompts.map(({ name }) => name),
  );
}

function assertEach(option: string, maker: string, handler: string, given: unknown): void {
  if (!Array.isArray(given)) {
    throw new TypeError(`\`${option}\` must be a list of what ${maker} returns`);
  }
  const wrong = given.findIndex(
    (each) =>
      !(
        isObject(each) &&
        Array.isArray(each['features']) &&
        isObject(each['listing']) &&
        typeof each[handler] === 'function'
      ),
  );
  if (wrong >= 0) throw new TypeError(`${option}[${wrong}] is not made by ${maker}`);
}

/** In one pass, because a server may have 100,000 resources. */
function assertNoneTwice(what: string, names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new TypeError(`Two ${what} ${name}`);
    seen.add(name);
  }
}
