import { describe, expect, it } from 'vitest';
import { declareFor as declareIn } from '../../generator/scaffold/declare.js';
import { ScaffoldError } from '../../generator/scaffold/index.js';
import { formatTypeScript } from '../../generator/emit/format/format.js';

const PLAIN = { task: false, ask: false, progress: false };
const TASK = { ...PLAIN, task: true };
const ASK = { ...PLAIN, ask: true };

const declareFor = (traits: typeof PLAIN, text: string): Promise<string> =>
  declareIn(traits, 'src/server.ts', text);

/** A server that declares capabilities in an object of its own. */
function server(capabilities: string, options = ''): Promise<string> {
  return formatTypeScript(`const CAPABILITIES = ${capabilities} as const satisfies TaskCapabilities;
export const server = await createTaskServer({ tools, capabilities: CAPABILITIES });
export const http = await serveHttp(server, { port: 1, ${options} });
`);
}

/** Prettier keeps the line breaks of objects. */
function compact(text: string): string {
  return text.replaceAll(/\s+/g, '').replaceAll(',}', '}');
}

describe('declareFor', () => {
  it.each([
    {
      adds: 'form elicitation',
      traits: ASK,
      from: '{}',
      to: '{ asks: { elicitation: { form: {} } } }',
    },
    {
      adds: 'form elicitation beside another',
      traits: ASK,
      from: '{ asks: { elicitation: { url: {} }, roots: {} } }',
      to: '{ asks: { elicitation: { url: {}, form: {} }, roots: {} } }',
    },
    {
      adds: 'calls as tasks',
      traits: TASK,
      from: '{ core: { tasks: { cancel: {} } } }',
      to: '{ core: { tasks: { cancel: {}, requests: { tools: { call: {} } } } } }',
    },
  ])('adds $adds', async ({ traits, from, to }) => {
    const changed = await declareFor(traits, await server(from));
    expect(compact(changed)).toBe(compact(await server(to)));
    expect(await declareFor(traits, changed)).toBe(changed);
  });

  it('finds the declaration where it stands in the call', async () => {
    const text = 'createTaskServer({ tools, capabilities: { asks: {} } });\n';
    expect(compact(await declareFor(ASK, text))).toContain('elicitation:{form:{}}');
  });

  it.each([
    { what: 'a tool that needs nothing', traits: PLAIN, capabilities: '{}' },
    { what: 'tasks that the extension serves', traits: TASK, capabilities: '{ ext: {} }' },
    {
      what: 'what is declared',
      traits: ASK,
      capabilities: '{ asks: { elicitation: { form: {} } } }',
    },
  ])('changes nothing for $what', async ({ traits, capabilities }) => {
    const text = await server(capabilities);
    expect(await declareFor(traits, text)).toBe(text);
  });

  it('changes nothing where the runtime derives the declaration from the tools', async () => {
    const text = 'createTaskServer({ tools });\n';
    expect(await declareFor({ ...TASK, ask: true }, text)).toBe(text);
  });

  it('SEC-5 refuses a tool that asks where users are not identified, and names the fix', async () => {
    const open = await server('{}', 'allowUnidentified: true');
    const refused = declareFor(ASK, open);
    await expect(refused).rejects.toThrow(ScaffoldError);
    await expect(refused).rejects.toMatchObject({
      help: expect.stringMatching(/--auth bearer.*allowUnidentifiedInput: true/) as string,
    });
    expect(compact(await declareFor(TASK, open))).toContain('call:{}');
    const meant = await server('{}', 'allowUnidentified: true, allowUnidentifiedInput: true');
    expect(compact(await declareFor(ASK, meant))).toContain('form:{}');
  });

  it.each([
    { open: true, call: 'http()' },
    { open: true, call: 'http({ healthPath })' },
    { open: false, call: 'http({ auth: jwt() })' },
    { open: false, call: 'http({ identify })' },
    { open: false, call: 'http({ allowUnidentifiedInput: true })' },
    { open: false, call: 'stdio()' },
  ])('SEC-5 knows whether a program identifies users: $call', async ({ open, call }) => {
    const text = `import { http, runServer } from '@mcp-codegen/runtime/program';
runServer({ server, transport: ${call} });
`;
    const declared = declareIn(ASK, 'src/main.ts', text);
    if (open) await expect(declared).rejects.toThrow(/: src\/main\.ts serves clients/);
    else expect(await declared).toBe(text);
    // A function of another package.
    expect(await declareFor(ASK, 'http();\n')).toBe('http();\n');
  });

  it('changes an object of the user by an insertion alone', async () => {
    const text = `export const server = () => defineServer({ capabilities:
\t{ ext : {}, // the extension
\t  asks:{roots:{}} /* folders */ } })
`;
    const after = await declareFor(ASK, text);
    expect(after).toBe(text.replace('roots:{}', 'roots:{}, elicitation: { form: {} }'));
  });

  it.each([
    'createTaskServer({ tools, capabilities: CAPABILITIES });',
    'createTaskServer({ tools, capabilities: capabilitiesOf(tools) });',
    'createTaskServer({ tools, capabilities: { asks: ASKS } });',
  ])('says where to declare what it cannot change: %s', async (text) => {
    await expect(declareFor(ASK, text)).rejects.toThrow(/src\/server\.ts declares/);
  });
});
