import { basename, isAbsolute, relative } from 'node:path';

import type { Program } from './assembly.js';
import { optionRows, type Row } from './command-line.js';
import { commandRows } from './commands.js';
import { nameOf } from './identity.js';
import { defaultOf, isOptional, meaningOf } from './setting-schema.js';
import type { SettingsShape } from './settings.js';

/** The text that `--help` prints. `main` is the path of the program's file. */
export function helpText(program: Program, main: string): string {
  const { cluster, settings } = program;
  const command = `node ${shownPath(program.project, main)} [command] [options]`;
  return [
    `${nameOf(program)}: an MCP server. Without a command it serves clients.\n`,
    section('Usage', [[command, '']]),
    section('Commands', commandRows(program)),
    section('Options', optionRows(cluster !== undefined)),
    section('Environment, or .env in the project', settingRows(settings)),
  ]
    .filter(Boolean)
    .join('\n')
    .trimEnd();
}

/** From the project's folder, where the file is in it. */
function shownPath(project: string, main: string): string {
  const path = relative(project, main);
  return path.startsWith('..') || isAbsolute(path) ? basename(main) : path;
}

/** The names of settings with their meanings and defaults. */
function settingRows(settings: SettingsShape): readonly Row[] {
  return Object.entries(settings).map(([name, schema]) => {
    const preset = defaultOf(schema);
    const meaning = meaningOf(schema);
    if (preset) return [name, `${meaning} (default: ${preset})`.trimStart()];
    return [name, isOptional(schema) ? meaning : `${meaning} (required)`.trimStart()];
  });
}

function section(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([written]) => written.length));
  const lines = rows.map(([written, meaning]) =>
    `  ${written.padEnd(width)}  ${meaning}`.trimEnd(),
  );
  return `${title}:\n${lines.join('\n')}\n`;
}
