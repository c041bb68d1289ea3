import { quote } from '../../../json-schema/text.js';
import { at, isRecord, textAt } from '../access.js';
import type { Path } from '../access.js';
import { BoundedMap } from '../bounded.js';
import { BOUNDS } from '../exchanges.js';
import { cut } from '../finding.js';
import type { Breach } from '../finding.js';
import type { ReadSchemas } from '../schemas.js';
import { NOTHING } from './subject.js';

/** What the reply to a question depends on. */
interface Question {
  readonly method: string;
  /** The schema of a form, as JSON text. */
  readonly form: string | undefined;
  /** How the model may use tools. */
  readonly choice: 'none' | 'required' | undefined;
}

/**
 * What a server asks of a client: a form, a sample of a model, the roots. It comes as a request, as an entry of
 * `inputRequests` in a result, or in a task. The caller gives each question a key of its own.
 */
export class Questions {
  #open = new BoundedMap<Question>(BOUNDS);

  constructor(readonly schemas: ReadSchemas) {}

  /** Notes a question. `key` is the path to its params. */
  ask(id: string, method: string, params: unknown, key: Path): readonly Breach[] {
    const isForm = method === 'elicitation/create' && at(params, 'mode') !== 'url';
    const form = isForm ? this.schemas.textOf(at(params, 'requestedSchema')) : undefined;
    this.#open.set(id, { method, form, choice: choiceIn(method, params) }, [method, form ?? '']);
    if (method === 'sampling/createMessage')
      return checkMessages(at(params, 'messages'), [...key, 'messages']);
    return method === 'elicitation/create' ? checkUrl(params, key) : NOTHING;
  }

  /** Checks a reply. `key` is the path to it. */
  reply(id: string, reply: unknown, key: Path): readonly Breach[] {
    const question = this.#open.get(id);
    switch (question?.method) {
      case 'elicitation/create':
        return this.#checkForm(question, reply, key);
      case 'sampling/createMessage':
        return checkChoice(question, reply, key);
      case 'roots/list':
        return checkRoots(reply, key);
      default:
        return NOTHING;
    }
  }

  #checkForm({ form }: Question, reply: unknown, key: Path): readonly Breach[] {
    if (form === undefined || at(reply, 'action') !== 'accept') return NOTHING;
    const fault = this.schemas.faultOf(form, at(reply, 'content') ?? {}, 'hidden');
    if (fault === undefined) return NOTHING;
    const message = `The content does not match the requestedSchema of the form: ${cut(fault)}.`;
    return [{ code: 'wrong-form-content', message, key: [...key, 'content'] }];
  }
}

/** `required` means nothing where the model used a tool before. */
function choiceIn(method: string, params: unknown): Question['choice'] {
  if (method !== 'sampling/createMessage') return undefined;
  const mode = at(params, 'toolChoice', 'mode');
  if (mode === 'none') return mode;
  if (mode !== 'required') return undefined;
  const messages = at(params, 'messages');
  const wasUsed = Array.isArray(messages) && messages.some((each) => has(each, 'tool_result'));
  return wasUsed ? undefined : mode;
}

function checkUrl(params: unknown, key: Path): readonly Breach[] {
  const url = at(params, 'mode') === 'url' ? textAt(params, 'url') : undefined;
  if (url === undefined || URL.canParse(url)) return NOTHING;
  const message = `The URL ${quote(cut(url))} is none.`;
  return [{ code: 'bad-uri', message, key: [...key, 'url'] }];
}

function checkRoots(reply: unknown, key: Path): readonly Breach[] {
  const roots = at(reply, 'roots');
  if (!Array.isArray(roots)) return NOTHING;
  return roots.flatMap((root: unknown, index): Breach[] => {
    const uri = textAt(root, 'uri');
    if (uri === undefined || /^file:\/\//i.test(uri)) return [];
    const message = `The URI of the root is ${quote(cut(uri))}: begin with "file://".`;
    return [{ code: 'bad-root', message, key: [...key, 'roots', index, 'uri'] }];
  });
}

function checkChoice({ choice }: Question, reply: unknown, key: Path): readonly Breach[] {
  const uses = has(reply, 'tool_use');
  const isOver = at(reply, 'stopReason') === 'endTurn';
  if (choice === undefined || (choice === 'none' ? !uses : uses || !isOver)) return NOTHING;
  const message =
    choice === 'none'
      ? 'The model uses a tool, but toolChoice of the request is "none".'
      : 'The model uses no tool, but toolChoice of the request is "required".';
  return [{ code: 'wrong-tool-choice', message, key: [...key, 'content'] }];
}

/** Uses of tools and their results, in the messages of a request. */
function checkMessages(messages: unknown, key: Path): readonly Breach[] {
  if (!Array.isArray(messages)) return NOTHING;
  const breaches: Breach[] = [];
  messages.forEach((message: unknown, index) => {
    const used = idsIn(message, 'tool_use', 'id');
    if (has(message, 'tool_result') && !blocksOf(message).every(isResult)) {
      const text =
        'A message with results of tools has other content too: send that in another message.';
      breaches.push({
        code: 'unbalanced-tool-use',
        message: text,
        key: [...key, index, 'content'],
      });
    }
    if (used.size === 0) return;
    const next: unknown = messages[index + 1];
    const results = idsIn(next, 'tool_result', 'toolUseId');
    const isEach = results.size === used.size && [...used].every((id) => results.has(id));
    if (isEach && at(next, 'role') === 'user') return;
    const text = 'The next message has no result for each use of a tool in this one.';
    breaches.push({ code: 'unbalanced-tool-use', message: text, key: [...key, index, 'content'] });
  });
  return breaches;
}

function isResult(block: unknown): boolean {
  return at(block, 'type') === 'tool_result';
}

function has(message: unknown, type: string): boolean {
  return blocksOf(message).some((block) => at(block, 'type') === type);
}

function idsIn(message: unknown, type: string, name: string): ReadonlySet<unknown> {
  const blocks = blocksOf(message).filter((block) => at(block, 'type') === type);
  return new Set(blocks.map((block) => at(block, name)));
}

/** The content of a message is a block or a list of them. */
function blocksOf(message: unknown): readonly unknown[] {
  const content = at(message, 'content');
  return Array.isArray(content) ? content : isRecord(content) ? [content] : [];
}
