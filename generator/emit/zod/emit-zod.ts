import type { Protocol } from '../../ir/index.js';
import {
  type Definition,
  type Definitions,
  type Node,
  referencesOf,
} from '../../../json-schema/index.js';
import { assign, call, immediate, print, type Code } from '../format/layout.js';
import { docComment } from '../comment.js';
import { createImports, statementFrom } from '../imports.js';
import { bounded } from '../types/bounds.js';
import { relaxed } from '../types/relax.js';
import { WIRE_FUNCTIONS } from '../validators/index.js';
import { Annotations } from './annotation.js';
import { expressionOf, schemaName, type Context } from './expression.js';
import { formsOf, saidOf, type Form, type Forms } from './forms.js';

/**
 * `zod.ts`: one schema `<Name>Schema` for each definition, after the schemas that it refers to. They
 * check formats and return accepted values unchanged.
 */
export function emitZod({ definitions }: Protocol): string {
  const forms = formsOf(definitions);
  const declared = new Set<string>();
  const imports = createImports();
  const context: Context = {
    imports,
    declared: (name) => declared.has(name),
    discriminates: (node, property) => discriminates(node, property, declared, forms),
  };
  const annotations = new Annotations(forms, typedOf(definitions), context);
  const declarations = dependencyOrder([...forms.values()]).map((form) => {
    const { name, description } = form;
    const left = [`export const ${schemaName(name)}: `, annotations.of(form)];
    const code = assign(left, schemaOf(form, context));
    declared.add(name);
    return `\n${docComment(description)}${print(code)}\n`;
  });
  const guarded = [...forms.values()].filter(({ exact }) => !exact);
  return [
    declarations.some((each) => uses('z', each)) ? "import * as z from 'zod';\n" : '',
    imports.text(),
    declarations.some((each) => uses('types', each))
      ? "import type * as types from './types.js';\n"
      : '',
    checkImports(guarded.map(({ name }) => name)),
    ...declarations,
  ].join('');
}

/** Whether a declaration refers to a member of a module; a text or a comment may look so, too. */
function uses(module: 'types' | 'z', declaration: string): boolean {
  return new RegExp(`\\b${module}\\.[\\p{ID_Start}$_]`, 'u').test(declaration);
}

/** The definitions as `types.ts` has them. */
function typedOf(definitions: readonly Definition[]): Definitions {
  const types = bounded(relaxed(new Map(definitions.map((each) => [each.name, each]))));
  return new Map(types.definitions.map((each) => [each.name, each]));
}

/**
 * The whole is one pure call, so that bundlers leave out what is not used. What Zod cannot say is left to the generated
 * validator, so that verdicts and places of errors are the same.
 */
function schemaOf({ name, said, exact }: Form, context: Context): Code {
  const helper = (name: string): string => context.imports.value('zod', name);
  if (said === undefined) {
    return [
      '/*@__PURE__*/ ',
      call(`${helper('checked')}<types.${name}>`, [validatorOf(name, context)]),
    ];
  }
  const schema = expressionOf(said, context);
  if (!exact) {
    const guarded = call(helper('guarded'), [schema, validatorOf(name, context)]);
    return ['/*@__PURE__*/ ', immediate(guarded)];
  }
  if (said.kind === 'literal') return ['/*@__PURE__*/ ', schema];
  const typed = MADE.has(said.kind) ? call(helper('made'), [schema]) : schema;
  return ['/*@__PURE__*/ ', immediate(typed)];
}

/** What the compiler would infer and compare. */
const MADE: ReadonlySet<Node['kind']> = new Set<Node['kind']>(['array', 'union', 'intersection']);

function validatorOf(name: string, { imports }: Context): string {
  return hasValidator(name)
    ? `validate${name}`
    : `/*@__PURE__*/ ${imports.value('zod', 'verdictBy')}(is${name})`;
}

function checkImports(names: readonly string[]): string {
  if (names.length === 0) return '';
  const functions = names.map((name) => `${hasValidator(name) ? 'validate' : 'is'}${name}`);
  return statementFrom('import', functions, './validators.js');
}

/** Two definitions would have validators with the names of functions that check messages. */
function hasValidator(name: string): boolean {
  return !WIRE_FUNCTIONS.includes(`validate${name}`);
}

/** Not a lazy member, because its literals are unknown before it is resolved. */
function discriminates(
  node: Node,
  property: string,
  declared: ReadonlySet<string>,
  forms: Forms,
): boolean {
  const isEager = (each: Node): boolean => each.kind !== 'ref' || declared.has(each.name);
  const object = isEager(node) ? saidOf(node, forms) : undefined;
  if (object?.kind !== 'object') return false;
  const found = object.properties.find(({ name }) => name === property);
  return (
    found !== undefined && isEager(found.node) && saidOf(found.node, forms)?.kind === 'literal'
  );
}

/**
 * Definitions after those that their schemas refer to, otherwise by name. A definition that is a reference alone waits
 * for its target also in a circle, because it has the type of the target, which a lazy schema does not have.
 */
export function dependencyOrder(definitions: readonly Form[]): Form[] {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  const ordered = new Set<Form>();
  const started = new Set<string>();
  const waiting = new Map<Form, Form[]>();
  const add = (definition: Form): void => {
    const target = definition.said?.kind === 'ref' ? byName.get(definition.said.name) : undefined;
    if (target && target !== definition && !ordered.has(target)) {
      waiting.set(target, [...(waiting.get(target) ?? []), definition]);
      return;
    }
    ordered.add(definition);
    waiting.get(definition)?.forEach(add);
  };
  for (const { name } of definitions) {
    // An explicit stack, because an untrusted schema decides the length of a chain of references.
    const stack = [{ name, waiting: undefined as string[] | undefined }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const definition = byName.get(top.name);
      if (!definition || (top.waiting === undefined && started.has(top.name))) {
        stack.pop();
        continue;
      }
      started.add(top.name);
      top.waiting ??= definition.said ? [...referencesOf(definition.said)] : [];
      const next = top.waiting.shift();
      if (next !== undefined) {
        stack.push({ name: next, waiting: undefined });
      } else {
        add(definition);
        stack.pop();
      }
    }
  }
  return [...ordered];
}
