import type { CreateMessageResult } from '../../generated/2025-11-25/types.js';
import { METHODS } from '../protocol.js';
import {
  type AnyFormSchema,
  type Checked,
  type Form,
  type FormContent,
  formOf,
  isDescribed,
  SchemaFault,
} from '../schemas/index.js';
import {
  type ElicitAnswer,
  harmless,
  type InputOptions,
  type JsonObject,
  type TaskControls,
} from '../tasks/index.js';
import { isObject } from '../peer/wire/json.js';
import type { AskClient } from './asks.js';
import { invalidAnswer } from './valid-answers.js';

/** A form for the user, in the client. */
export interface FormQuestion<S extends AnyFormSchema> {
  readonly message: string;
  /** The fields: as the client gets them, or a schema of Zod, ArkType or Valibot. */
  readonly requestedSchema: S;
  readonly mode?: 'form';
}

/** The answer to a form. The content has been checked. */
export type FormAnswer<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined };

/** Asks the user. Rejects with the client's error, or when the run ends first. */
export interface Elicit {
  /** With a form, whose content has the types of `requestedSchema`. */
  <const S extends AnyFormSchema>(
    question: FormQuestion<S>,
    options?: InputOptions,
  ): Promise<FormAnswer<FormContent<S>>>;
  /** With a page (`mode: 'url'`), or with a form that is made at run time. */
  (question: JsonObject, options?: InputOptions): Promise<ElicitAnswer>;
}

/** A handler's side of its call or task. */
export interface ToolControls extends Omit<TaskControls, 'elicit' | 'sample'> {
  readonly elicit: Elicit;
  /** Asks for a completion by the client's model. Rejects with the client's error, or when the run ends first. */
  readonly sample: (params: JsonObject, options?: InputOptions) => Promise<CreateMessageResult>;
}

/** The function of handlers that asks the model, by one that asks for anything, and checks the answer. */
export function sampleBy(ask: AskClient): ToolControls['sample'] {
  return (params, options) =>
    ask(METHODS.samplingCreateMessage, params, options) as Promise<CreateMessageResult>;
}

/** The function of handlers that asks the user, by one that asks for anything. */
export function elicitBy(ask: AskClient): Elicit {
  async function elicit(question: JsonObject, options?: InputOptions): Promise<unknown> {
    const { requestedSchema: schema } = question;
    const form = isDescribed(schema) ? shownForm(schema) : undefined;
    const { requestedSchema = schema } = form ?? {};
    const params = form === undefined ? question : { ...question, requestedSchema };
    const answer = await ask(METHODS.elicitationCreate, params, options);
    const isForm = isObject(requestedSchema) && answer['action'] === 'accept';
    if (!isForm) return answer;
    const { content = {} } = answer;
    return { ...answer, content: form === undefined ? content : await checked(form, content) };
  }
  return ((question: JsonObject, options?: InputOptions) =>
    harmless(elicit(question, options))) as Elicit;
}

function shownForm(schema: object): Form {
  try {
    return formOf(schema);
  } catch (error) {
    throw error instanceof SchemaFault ? error.of('task.elicit: `requestedSchema`') : error;
  }
}

/** The content as the schema returns it. The error names fields and no value, because users type passwords. */
async function checked({ contract }: Form, content: unknown): Promise<unknown> {
  const found: Checked = await contract.check(content);
  if (found.issues === undefined) return found.value;
  const places = found.issues.map(({ path: [field] = [] }) => {
    const name = typeof field === 'object' ? field.key : field;
    return name === undefined ? '/content' : `/content/${String(name)}`;
  });
  throw invalidAnswer(`${[...new Set(places)].join(', ')} is not what the form asks for`);
}
