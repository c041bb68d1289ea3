import type * as z from 'zod';

import type { GetPromptResult, Icon, PromptMessage } from '../../generated/2025-11-25/types.js';
import { type JsonObject, merged } from '../tasks/index.js';
import { isObject } from '../peer/wire/json.js';
import type { Frozen } from '../peer/wire/messages.js';
import {
  assertRules,
  type Completer,
  completersIn,
  type DefinitionKind,
  FUNCTION,
  FUNCTIONS,
  ICONS,
  NAME,
  OBJECT,
  SCOPES,
  subjectOf,
  TEXT,
  ZOD_OBJECT,
} from './definitions/index.js';
import { INVALID_PARAMS, rpcError } from './errors.js';
import { COMPLETIONS } from './features/completions.js';
import type { HandlerRequest } from './controls.js';
import { PROMPTS } from './features/prompts.js';
import type { GetRequest, ServerPrompt } from './endpoint.js';

export type { GetRequest, ServerPrompt } from './endpoint.js';

/** A message of the user as text, messages, or the whole result. */
export type PromptOutput =
  | string
  | readonly PromptMessage[]
  | (Omit<GetPromptResult, 'messages'> & { readonly messages: readonly PromptMessage[] });

type ArgsOf<A extends z.ZodObject | undefined> = A extends z.ZodObject
  ? z.output<A>
  : Readonly<Record<never, never>>;
type NamesOf<A extends z.ZodObject | undefined> = A extends z.ZodObject ? keyof z.input<A> : never;

export interface PromptDefinition<A extends z.ZodObject | undefined> {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Clients send texts: convert others, as in `z.coerce.number()`. */
  readonly args?: A;
  /** Suggests values of arguments. */
  readonly complete?: {
    readonly [K in NamesOf<A>]?: Completer<
      HandlerRequest & { readonly args: { readonly [N in NamesOf<A>]?: string } }
    >;
  };
  readonly icons?: readonly Icon[];
  readonly meta?: JsonObject;
  /**
   * Scopes that the caller's token needs beside those of `auth`. Without them the answer over HTTP is 403 with the
   * challenge by which a client asks for them. Default: none.
   */
  readonly scopes?: readonly string[];
  readonly get: (request: GetRequest<ArgsOf<A>>) => PromptOutput | Promise<PromptOutput>;
}

const PROMPT: DefinitionKind = {
  noun: 'Prompt',
  maker: 'definePrompt',
  rules: {
    name: NAME,
    title: TEXT,
    description: TEXT,
    args: ZOD_OBJECT,
    complete: FUNCTIONS,
    icons: ICONS,
    meta: OBJECT,
    scopes: SCOPES,
    get: { ...FUNCTION, isRequired: true, expected: 'a function: get: ({ args }) => …' },
  },
  otherNames: {
    ...{ argsSchema: 'args', arguments: 'args', input: 'args', inputSchema: 'args' },
    ...{ handler: 'get', run: 'get', callback: 'get', cb: 'get', load: 'get', _meta: 'meta' },
  },
};

/** Throws a TypeError for a wrong definition, which names the prompt, the key and the mend. */
export function definePrompt<A extends z.ZodObject | undefined = undefined>(
  definition: PromptDefinition<A>,
): ServerPrompt {
  assertRules(PROMPT, definition);
  const { name, title, description, args, icons, meta } = definition;
  const listed = args === undefined ? [] : argumentsOf(name, args);
  const argumentNames = listed.map((each) => each.name);
  const completers = completersIn(
    subjectOf('Prompt', name),
    'arguments',
    argumentNames,
    definition.complete,
  );
  return {
    features: completers.size > 0 ? [PROMPTS, COMPLETIONS] : [PROMPTS],
    name,
    scopes: definition.scopes ?? [],
    listing: {
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(listed.length > 0 && { arguments: listed }),
      ...(icons !== undefined && { icons }),
      ...(meta !== undefined && { _meta: meta }),
    },
    argumentNames,
    completers,
    async get(request) {
      const parsed = await argsIn(name, args, request.args);
      return resultOf(await definition.get(merged(request, { args: parsed as ArgsOf<A> })));
    },
  };
}

async function argsIn(
  name: string,
  schema: z.ZodObject | undefined,
  given: unknown,
): Promise<unknown> {
  if (schema === undefined) return {};
  const result = await schema.safeParseAsync(given ?? {});
  if (result.success) return result.data;
  const issues = result.error.issues.map(
    ({ path, message }) => `${['', ...path.map(String)].join('/') || '/'}: ${message}`,
  );
  throw rpcError(INVALID_PARAMS, `Invalid arguments for prompt ${name}: ${issues.join('; ')}`);
}

function resultOf(output: PromptOutput): Frozen<GetPromptResult> {
  if (typeof output === 'string') {
    return { messages: [{ role: 'user', content: { type: 'text', text: output } }] };
  }
  return isObject(output) ? output : { messages: output };
}

interface ListedArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required?: true;
}

function argumentsOf(prompt: string, schema: z.ZodObject): ListedArgument[] {
  const { properties, required } = schema['~standard'].jsonSchema.input({
    target: 'draft-2020-12',
    libraryOptions: { unrepresentable: 'any' },
  });
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return Object.entries(isObject(properties) ? properties : {}).map(([name, property]) => {
    const { title, description } = isObject(property) ? property : {};
    const type = textlessType(schema.shape[name]);
    if (type !== undefined) {
      throw new TypeError(
        `${subjectOf('Prompt', prompt)}: \`args\`: ${name} is a ${type}, but clients send texts: ${MENDS[type]}`,
      );
    }
    return {
      name,
      ...(typeof title === 'string' && { title }),
      ...(typeof description === 'string' && { description }),
      ...(needed.includes(name) && { required: true as const }),
    };
  });
}

/** Types that accept no text, and what to use instead. */
const MENDS: Readonly<Record<string, string>> = {
  number: 'use z.coerce.number()',
  boolean: 'use z.stringbool()',
  bigint: 'use z.coerce.bigint()',
  date: 'use z.coerce.date()',
  object: 'use a text for each member',
  array: 'use z.string().transform((text) => text.split(","))',
};

/** The type of an argument that accepts no text. */
function textlessType(schema: unknown): string | undefined {
  const internals: unknown = isObject(schema) ? schema['_zod'] : undefined;
  const def: unknown = isObject(internals) ? internals['def'] : undefined;
  if (!isObject(def) || def['coerce'] === true) return undefined;
  if (def['innerType'] !== undefined) return textlessType(def['innerType']);
  const type = String(def['type']);
  return Object.hasOwn(MENDS, type) ? type : undefined;
}
