import ts from 'typescript';
import { specifiersIn, targetOf, typeSpecifiersIn } from './imports.js';
import { roomOf } from './rooms.js';
import type { Room } from './rooms.js';

/** Whether a room's permission for an import is used: `rooms` names a folder, the others a module. */
export interface Permission {
  readonly kind: 'rooms' | 'packages' | 'types' | 'node' | 'process';
  readonly name: string;
}

/** Permissions of a room that none of its files uses. */
export function unusedPermissions(room: Room, files: ReadonlyMap<string, string>): Permission[] {
  const own = [...files].filter(([file]) => roomOf(file) === room);
  const used = own.flatMap(([file, text]) =>
    importsOf(text).map((specifier) => ({ file, specifier })),
  );
  const names = (
    kind: 'rooms' | 'packages' | 'types' | 'node',
    isUsed: (name: string) => boolean,
  ) =>
    (room[kind] ?? []).filter((name) => !isUsed(name)).map((name): Permission => ({ kind, name }));
  return [
    ...names('rooms', (name) =>
      used.some(
        ({ file, specifier }) =>
          specifier.startsWith('.') && roomOf(targetOf(file, specifier))?.folder === name,
      ),
    ),
    ...names('packages', (name) => used.some(({ specifier }) => isFrom(name, specifier))),
    ...names('types', (name) => used.some(({ specifier }) => isFrom(name, specifier))),
    ...names('node', (name) => used.some(({ specifier }) => isFrom(name, specifier))),
    ...(room.process ?? [])
      .filter(
        (name) => !own.some(([file, text]) => file.startsWith(name) && usesProcess(file, text)),
      )
      .map((name): Permission => ({ kind: 'process', name })),
  ];
}

/** Imports of another room's files that are not its entries. */
export function bypasses(file: string, text: string): string[] {
  const room = roomOf(file);
  return importsOf(text)
    .filter((specifier) => specifier.startsWith('.'))
    .filter((specifier) => {
      const target = targetOf(file, specifier);
      const other = roomOf(target);
      return other !== room && other?.open !== true && !isEntry(target, other);
    })
    .map((specifier) => {
      const { folder = 'a file outside the rooms' } = roomOf(targetOf(file, specifier)) ?? {};
      return `${file} imports ${specifier} past the index.ts of ${folder}`;
    });
}

function isEntry(file: string, room: Room | undefined): boolean {
  return (
    /(?:^|\/)index\.ts$/.test(file) ||
    (room?.entries?.some(
      (entry) => file === entry || (entry.endsWith('/') && file.startsWith(entry)),
    ) ??
      false)
  );
}

/** A file's violations of its room's permissions. */
export function violations(file: string, text: string): string[] {
  const room = roomOf(file);
  if (!room) return [`${file} lies in no room`];
  const types = typeSpecifiersIn(text);
  const forbidden = importsOf(text)
    .filter((specifier) => !mayImport(room, file, specifier))
    .filter((specifier) => !types.has(specifier) || !mayImportTypes(room, specifier))
    .map((specifier) => `${file} imports ${specifier}, which ${room.folder} may not`);
  const mayUseProcess = room.process?.some((allowed) => file.startsWith(allowed)) ?? false;
  return mayUseProcess || !usesProcess(file, text)
    ? forbidden
    : [...forbidden, `${file} uses process, which it may not`];
}

const importsOf = specifiersIn;

function mayImport(room: Room, file: string, specifier: string): boolean {
  if (specifier.startsWith('.')) {
    const target = roomOf(targetOf(file, specifier));
    return target !== undefined && (target === room || room.rooms.includes(target.folder));
  }
  const allowed = specifier.startsWith('node:') ? room.node : room.packages;
  return allowed.some((name) => isFrom(name, specifier));
}

function mayImportTypes({ types = [] }: Room, specifier: string): boolean {
  return types.some((name) => isFrom(name, specifier));
}

/** A name that ends in `/` or `:` matches all names that begin with it. */
function isFrom(name: string, specifier: string): boolean {
  return (
    specifier === name ||
    specifier.startsWith(`${name}/`) ||
    (/[/:]$/.test(name) && specifier.startsWith(name))
  );
}

/** Whether code reads the global, not a property, a comment or a string of that name. */
function usesProcess(file: string, text: string): boolean {
  if (!text.includes('process')) return false;
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === 'process' && !isMemberName(node)) found = true;
    if (!found) ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    ts.isPropertySignature(parent)
  );
}
