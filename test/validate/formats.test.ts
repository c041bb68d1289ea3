import fc from 'fast-check';
import { expect, it } from 'vitest';
import { valueCheck } from '../../contracts/lock/compat/index.js';
import { samplesOf } from '../../json-schema/sample/formats.js';
import { FORMATS } from '../../json-schema/index.js';
import { sized } from '../support/size.js';
import { answer, brief, call, initialized, INITIALIZE, lines, validateText } from './support.js';

/** A conversation in which a schema describes arguments, a result and a form. */
function conversation(schema: object, value: object): string {
  const tool = { name: 'work', inputSchema: schema, outputSchema: schema };
  const start = { ...INITIALIZE.params, capabilities: { elicitation: {} } };
  const question = { mode: 'form', message: 'Who?', requestedSchema: schema };
  return lines(
    { c: { ...INITIALIZE, params: start } },
    { s: initialized() },
    { c: { jsonrpc: '2.0', method: 'notifications/initialized' } },
    { c: call(1, {}, 'tools/list') },
    { s: answer(1, { tools: [tool] }) },
    { c: call(2, { name: 'work', arguments: value }) },
    { s: call(1, question, 'elicitation/create') },
    { c: answer(1, { action: 'accept', content: value }) },
    { s: answer(2, { content: [], structuredContent: value }) },
  )
    .replaceAll('{"c":', '{"direction":"c2s","message":')
    .replaceAll('{"s":', '{"direction":"s2c","message":');
}

/** Some forms here are none of the protocol, which is another rule. */
async function faultsOf(schema: object, value: object): Promise<string[]> {
  const outcome = await validateText(conversation(schema, value));
  return brief(outcome).filter((each) => each.includes(' wrong-'));
}

const WRONG = [
  '6 wrong-arguments /message/params/arguments',
  '8 wrong-form-content /message/result/content',
  '9 wrong-structured-content /message/result/structuredContent',
];

/** Texts of each format, changed a little, and others. */
const samples = FORMATS.flatMap((format) => [...samplesOf(format)]);
const texts = fc.oneof(
  fc.constantFrom(...samples, '2026-02-30', '1.2.3.04', '2026-01-31 12:30:00Z', 'a@b', '10.0.0.1'),
  fc
    .tuple(fc.constantFrom(...samples), fc.nat(20), fc.constantFrom(' ', '/', '0', 'ä', ':', ''))
    .map(([text, at, added]) => text.slice(0, at) + added + text.slice(at + 1)),
);

/** Plain schemas are compared by other code than those with further keywords. */
const shapes: readonly ((format: string) => object)[] = [
  (format) => ({ type: 'string', format }),
  (format) => ({ type: 'string', format, minLength: 0, title: 'A text' }),
];
const inAnyOf = (format: string): object => ({ anyOf: [{ type: 'string', format }, { const: 7 }] });

it('formats of arguments, results and forms are those of lock and guard', async () => {
  const verdicts = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...FORMATS),
      texts,
      fc.constantFrom(...shapes),
      async (format, text, shape) => {
        const schema = { type: 'object', properties: { at: shape(format) } };
        const check = valueCheck(schema as never);
        if (typeof check === 'string') throw new Error(check);
        const isRefused = check({ at: text }) !== undefined;
        verdicts.add(`${format} ${String(isRefused)}`);
        expect(await faultsOf(schema, { at: text }), `${format} ${JSON.stringify(text)}`).toEqual(
          isRefused ? WRONG : [],
        );
      },
    ),
    { numRuns: sized(2000) },
  );
  // Each format has texts that it refuses and texts that it accepts.
  expect(verdicts.size).toBeGreaterThan(1.5 * FORMATS.length);
});

it.each(FORMATS)('%s is checked beside other keywords, and its error names it', async (format) => {
  const schema = { type: 'object', properties: { at: inAnyOf(format) } };
  const [good = ''] = samplesOf(format);
  expect(await faultsOf(schema, { at: good })).toEqual([]);
  const bad = format === 'regex' ? '(' : format === 'byte' ? '!' : '\u0000 {';
  const plain = { type: 'object', properties: { at: { type: 'string', format } } };
  const { findings } = await validateText(conversation(plain, { at: bad }));
  expect(findings.map(({ message }) => message).join()).toContain(`"${format}"`);
  expect(await faultsOf(schema, { at: bad })).toEqual(WRONG);
});

it('a format that JSON Schema does not have is an annotation', async () => {
  const schema = { type: 'object', properties: { at: { type: 'string', format: 'url' } } };
  expect(await faultsOf(schema, { at: '' })).toEqual([]);
});
