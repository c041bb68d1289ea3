import fc from 'fast-check';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import {
  camelCaseOf,
  checkProjectName,
  checkPartName,
  fileNameOf,
} from '../../generator/scaffold/names.js';
import { ScaffoldError } from '../../generator/scaffold/template.js';
import { makeAddition } from '../../generator/scaffold/addition.js';
import { sized } from '../support/size.js';

const PLAIN = { task: false, ask: false, progress: false };

const PROJECT: Readonly<Record<string, string>> = {
  'package.json': '{ "devDependencies": { "vitest": "4" } }',
  'src/tools/index.ts': 'export const tools = [];\n',
  'src/resources.ts': 'export const resources = [];\nexport const prompts = [];\n',
};

const toolName = fc
  .stringMatching(/^[A-Za-z0-9_.-]{1,20}$/)
  .filter((name) => /[A-Za-z0-9]/.test(name));

describe('the name of a tool', () => {
  it.each([
    ['send_mail', 'send-mail', 'sendMail'],
    ['look-up', 'look-up', 'lookUp'],
    ['getUserProfile', 'get-user-profile', 'getUserProfile'],
    ['admin.tools.list', 'admin-tools-list', 'adminToolsList'],
    ['DATA_EXPORT_v2', 'data-export-v2', 'dataExportV2'],
    ['HTTPGet', 'http-get', 'httpGet'],
    ['Index', 'index-tool', 'index'],
    ['server', 'server-tool', 'server'],
    ['con', 'con-tool', 'con'],
    ['__x__', 'x', 'x'],
    ['7zip', '7-zip', '7Zip'],
  ])('%s gets the file %s and the variable %s', (tool, file, variable) => {
    checkPartName('tool', tool);
    expect(fileNameOf(tool)).toBe(file);
    expect(camelCaseOf(tool)).toBe(variable);
  });

  it.each(['tool', 'resource', 'prompt'] as const)(
    'makes files that any file system takes, and code without a syntax error: %s',
    async (kind) => {
      await fc.assert(
        fc.asyncProperty(toolName, async (name) => {
          const traits = PLAIN;
          const { files, changed } = await makeAddition(
            { kind, name, traits },
            (path) => PROJECT[path],
          );
          expect(files).toHaveLength(2);
          expect(changed).toHaveLength(1);
          for (const { path, text } of [...files, ...changed]) {
            expect(path).toMatch(
              /^(?:src(?:\/tools|\/resources|\/prompts)?|test)\/[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:resource|prompt))?(?:\.test)?\.ts$/,
            );
            const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
            expect(diagnostics).toEqual([]);
          }
          expect(files[0]?.text).toContain(`name: '${name}',`);
        }),
        { numRuns: sized(40) },
      );
    },
  );
});

it.each([
  ...['server', 'z', 'it', 'expect', 'on_test_finished', 'start_test_server', 'define_server'],
  ...['define_tool', 'tools', 'eval', 'arguments', 'undefined', 'await', 'define'],
])('the part %s gets a name that its files do not use for something else', async (name) => {
  const parts = ['tool', 'resource', 'prompt'] as const;
  for (const kind of parts) {
    const { files } = await makeAddition({ kind, name, traits: PLAIN }, (path) => PROJECT[path]);
    for (const { text } of files) {
      expect(ts.transpileModule(text, { reportDiagnostics: true }).diagnostics).toEqual([]);
      const imports = /^import (?:\* as (?<all>\w+)|\{(?<some>[^}]*)\})/gm;
      const names = [
        ...Array.from(text.matchAll(/^(?:export )?const (\w+)/gm), ([, local]) => local),
        ...[...text.matchAll(imports)].flatMap(
          ({ groups }) => `${groups?.['all'] ?? groups?.['some']}`.match(/\w+/g) ?? [],
        ),
      ];
      expect(new Set(names).size, text).toBe(names.length);
    }
  }
});

describe('the name of a project', () => {
  const flawed = (name: string): ScaffoldError => {
    try {
      checkProjectName(name);
    } catch (error) {
      if (error instanceof ScaffoldError) return error;
    }
    throw new Error(`${name} is no invalid name`);
  };

  it.each([
    ['My Server', 'npm allows lower-case letters', 'my-server'],
    ['Café', 'npm allows lower-case letters', 'cafe'],
    ['日本', 'npm allows lower-case letters', 'my-project'],
    ['@scope', 'npm allows lower-case letters', 'scope'],
    ['.hidden', 'it begins with "."', 'hidden'],
    ['_under', 'it begins with "_"', 'under'],
    ['..', 'it begins with "."', 'my-project'],
    ['', 'npm allows', 'my-project'],
    ['node_modules', 'npm does not allow it', 'my-project'],
    ['x'.repeat(215), 'it is longer than 214 characters', 'x'.repeat(50)],
  ])('%s is refused with a reason and another name', (name, reason, near) => {
    const { message, help } = flawed(name);
    expect(message).toContain(`: ${reason}`);
    expect(help).toMatch(new RegExp(` --name ${near}$`));
  });

  it('that is proposed is valid', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        try {
          checkProjectName(name);
        } catch (error) {
          const proposed = (error as ScaffoldError).help?.split(' ').at(-1) ?? '';
          expect(() => checkProjectName(proposed)).not.toThrow();
        }
      }),
    );
  });
});
