import { useState } from 'preact/hooks';
import type { Draft } from '../../../json-schema/index.js';
import { DRAFTS } from '../../../json-schema/draft.js';
import type { SchemaAnswer, SchemaQuestion, ValueAnswer, ValueQuestion } from '../questions.js';
import type { Engine } from './engine.js';
import { SCHEMA_EXAMPLE, VALUE_EXAMPLE } from './examples.js';
import { Actions, Choice, Output, Status, Text } from './parts.js';
import { useTask } from './task.js';

const DRAFT_OPTIONS: [string, string][] = [
  ['', 'As the schema says'],
  ...DRAFTS.map((draft): [string, string] => [draft, draft]),
];

/** The section that generates code for a schema, and checks values against it. */
export function Schemas({ engine }: { readonly engine: Engine }) {
  const [text, setText] = useState('');
  const [draft, setDraft] = useState('');
  const [value, setValue] = useState('');
  const [definition, setDefinition] = useState('');
  const code = useTask<SchemaQuestion>(engine);
  const check = useTask<ValueQuestion>(engine);
  const schema = { text, draft: (draft || undefined) as Draft | undefined };
  const useExample = (): void => {
    setText(SCHEMA_EXAMPLE);
    setValue(VALUE_EXAMPLE);
  };
  return (
    <section id="schemas" aria-labelledby="schemas-title">
      <h2 id="schemas-title">Schemas</h2>
      <p>A JSON Schema of draft-04 to 2020-12, or an OpenAPI document, as JSON or YAML.</p>
      <Text label="Schema" value={text} rows={14} onText={setText} />
      <div class="choices">
        <Choice label="Draft" value={draft} options={DRAFT_OPTIONS} onChoice={setDraft} />
      </div>
      <Actions
        task={code}
        name="Generate code"
        onStart={() => code.ask({ kind: 'schema', ...schema })}
      >
        <button type="button" onClick={useExample}>
          Use an example
        </button>
      </Actions>
      <Status>{code.isRunning ? 'Generating …' : code.problem || saidOf(code.answer)}</Status>
      {code.answer && <Code answer={code.answer} />}
      <h3>A value of the schema</h3>
      <Text label="Value to check, as JSON" value={value} rows={6} onText={setValue} />
      <div class="choices">
        <Choice
          label="Definition"
          value={definition}
          options={definitionsOf(code.answer)}
          onChoice={setDefinition}
        />
      </div>
      <Actions
        task={check}
        name="Check the value"
        onStart={() =>
          check.ask({ kind: 'value', ...schema, value, definition: definition || undefined })
        }
      />
      <Status>{check.isRunning ? 'Checking …' : check.problem || verdictOf(check.answer)}</Status>
      <Output label="Problems of schema or value" text={check.answer?.problems ?? ''} />
    </section>
  );
}

function definitionsOf(answer: SchemaAnswer | undefined): [string, string][] {
  const names = answer?.definitions ?? [];
  return [['', 'The whole schema'], ...names.map((name): [string, string] => [name, name])];
}

function saidOf(answer: SchemaAnswer | undefined): string {
  if (!answer) return '';
  const { length } = answer.files;
  if (length === 0) return 'The schema cannot be read.';
  return `Generated ${String(length)} files of ${String(answer.definitions.length)} definitions.`;
}

function verdictOf(answer: ValueAnswer | undefined) {
  if (!answer) return null;
  if (!answer.checked) return 'The value was not checked.';
  const { definition, refusal } = answer.checked;
  if (!refusal) return <strong class="valid">Valid: the value is a {definition}.</strong>;
  const place = refusal.pointer === '' ? 'the value' : refusal.pointer;
  return (
    <strong class="invalid">
      Invalid {definition}: {place} {refusal.reason}.
    </strong>
  );
}

function Code({ answer: { problems, files } }: { readonly answer: SchemaAnswer }) {
  return (
    <>
      <Output label="Problems of the schema" text={problems} />
      {files.map(({ path, text }, index) => (
        <details key={path} open={index === 0}>
          <summary>{path}</summary>
          <Output label={path} text={text} />
        </details>
      ))}
    </>
  );
}
