import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { ConfigError } from '../server/auth/index.js';
import type { Program } from './assembly.js';

/**
 * The server's name, without reading settings. A definition that a function makes has the name that `package.json` has,
 * or else that of the project's folder.
 */
export function nameOf({ options: { server }, project }: Program): string {
  if (typeof server !== 'function') return server.name;
  return memberOfPackage(project, 'name') ?? basename(project);
}

/**
 * The server's version, without reading settings.
 *
 * @throws {ConfigError} where neither a definition nor `package.json` has it.
 */
export function versionOf({ options: { server }, project }: Program): string {
  if (typeof server !== 'function') return server.version;
  const version = memberOfPackage(project, 'version');
  if (version !== undefined) return version;
  throw new ConfigError(`There is no version in ${packageFileOf(project)}.`);
}

function packageFileOf(project: string): string {
  return join(project, 'package.json');
}

function memberOfPackage(project: string, name: 'name' | 'version'): string | undefined {
  try {
    const document: unknown = JSON.parse(readFileSync(packageFileOf(project), 'utf8'));
    const value = (Object(document) as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
