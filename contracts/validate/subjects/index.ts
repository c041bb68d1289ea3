import { ReadSchemas } from '../schemas.js';
import { Completions } from './completions.js';
import { Contents } from './contents.js';
import { DirectQuestions } from './direct-questions.js';
import { Elicitations } from './elicitations.js';
import { ErrorCodes } from './error-codes.js';
import { Handshake } from './handshake.js';
import { Logs } from './logs.js';
import { Metadata } from './metadata.js';
import { Pages } from './pages.js';
import { Polling } from './polling.js';
import { Questions } from './questions.js';
import { ResourceUpdates } from './resources.js';
import { Rounds } from './rounds.js';
import type { Conversation, Subject } from './subject.js';
import { TaskLists } from './task-lists.js';
import { TaskQuestions } from './task-questions.js';
import { ToolLists } from './tool-lists.js';
import { ToolValues } from './tool-values.js';
import { Versions } from './versions.js';

/** The rules of each subject, for one conversation. */
export function subjectsOf(conversation: Conversation): readonly Subject[] {
  const schemas = new ReadSchemas(conversation.readSchema);
  const questions = new Questions(schemas);
  return [
    new Handshake(),
    new Versions(),
    new Metadata(),
    new ErrorCodes(),
    new Pages(conversation),
    new Logs(),
    new ResourceUpdates(conversation),
    new Completions(),
    new ToolLists(),
    new ToolValues(conversation, schemas),
    new Contents(),
    new DirectQuestions(questions),
    new Elicitations(conversation),
    new Rounds(conversation, questions),
    new Polling(),
    new TaskLists(),
    new TaskQuestions(questions),
  ];
}
