import { EXTENDED, SPOKEN } from '../../generator/ir/revisions/index.js';
import type { Traits } from '../../generator/ir/revisions/index.js';
import type { Definitions, Protocols, Validators, Verdict } from '../validate/index.js';
import { EXTENSION_MODULES, REVISION_MODULES } from './modules.js';

interface TableExports {
  readonly REQUESTS: Definitions['tables']['requests'];
  readonly NOTIFICATIONS: Definitions['tables']['notifications'];
  readonly ERROR_CODES: Definitions['tables']['errors'];
}

type Check = (value: unknown, options: { readonly maxErrors: number }) => Verdict;

/** The exports of a revision's folder; `definition` finds a validator by its name. */
function definitionsOf<T extends Pick<Definitions, 'wire'>>(
  validators: T,
  { REQUESTS, NOTIFICATIONS, ERROR_CODES }: TableExports,
): T & Definitions {
  const byName: Readonly<Record<string, unknown>> = { ...validators };
  return {
    ...validators,
    tables: { requests: REQUESTS, notifications: NOTIFICATIONS, errors: ERROR_CODES },
    definition: (name) => {
      const check = Object.hasOwn(byName, `validate${name}`)
        ? byName[`validate${name}`]
        : undefined;
      return typeof check === 'function' ? (check as Check) : undefined;
    },
  };
}

type RevisionName = keyof typeof REVISION_MODULES;
type ExtensionName = keyof typeof EXTENSION_MODULES;

const REVISION_NAMES = Object.keys(REVISION_MODULES) as readonly RevisionName[];
const EXTENSION_NAMES = Object.keys(EXTENSION_MODULES) as readonly ExtensionName[];

async function revision(name: RevisionName): Promise<Validators> {
  const { tables, load } = REVISION_MODULES[name];
  const { batches = false, strictCapabilities = false }: Traits = SPOKEN[name];
  return { ...definitionsOf(await load(), tables), batches, strictCapabilities };
}

/** The validators of all revisions. Each revision's are loaded at their first use. */
export const PROTOCOLS: Protocols = {
  loadSchemaCheck: async () => (await import('./schema-check.js')).schemaCheck,
  revisions: Object.fromEntries(REVISION_NAMES.map((name) => [name, () => revision(name)])),
  extensions: EXTENSION_NAMES.map((name) => {
    const { tables, load } = EXTENSION_MODULES[name];
    return {
      name,
      id: tables.EXTENSION_ID,
      extends: EXTENDED[name],
      load: async () => definitionsOf(await load(), tables),
    };
  }),
};
