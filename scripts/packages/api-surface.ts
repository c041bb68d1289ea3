import { isWritten, ROOT, RUNTIME, runtimeEntries, TOOL_ENTRIES } from './entries.js';
import { surfaceOf } from './surface.js';

const INTRO = `# The public API

Everything that the two packages export, made by \`npm run packages\` from the declarations. A change
here is a change for users: it belongs in the changelog.
`;

/** The text of \`docs/api-surface.md\`. */
export function apiSurface(): string {
  const runtime = runtimeEntries();
  const generated = [...runtime].filter(([, source]) => !isWritten(source));
  const written = [...runtime].filter(([, source]) => isWritten(source));
  const sources = [...runtime.values(), ...TOOL_ENTRIES.values()];
  const surface = surfaceOf(sources.map(declarationOf));
  const of = (source: string): string[] => surface.get(declarationOf(source)) ?? [];
  return [
    INTRO,
    ...written.map(([subpath, source]) => section(`${RUNTIME}/${subpath}`, of(source))),
    ...[...TOOL_ENTRIES].map(([subpath, source]) =>
      section(`mcp-codegen${subpath.slice(1)}`, of(source)),
    ),
    `## Generated entries\n\n${table(generated.map(([subpath, source]) => [subpath, of(source)]))}`,
  ].join('\n');
}

/** Where the build puts the declarations of a source. */
function declarationOf(source: string): string {
  const folder = /^(?:contracts|generator)\//.test(source) ? 'dist' : 'runtime/dist';
  return `${ROOT}${folder}/${source.replace(/\.ts$/, '.d.ts')}`;
}

function section(name: string, declarations: readonly string[]): string {
  return `## \`${name}\`\n\n\`\`\`ts\n${declarations.join('\n')}\n\`\`\`\n`;
}

/** Exports other than those of definitions, which follow from the schema. */
const OF_A_DEFINITION = /^(?:const|function|type|interface) (?:is|validate)?[A-Z]/;

function table(entries: readonly (readonly [string, readonly string[]])[]): string {
  const rows = entries.map(([subpath, declarations]) => {
    const own = declarations.filter((each) => !OF_A_DEFINITION.test(each));
    const names = own.map((each) => `\`${/^\w+ (\w+)/.exec(each)?.[1] ?? ''}\``);
    return `| \`${RUNTIME}/${subpath}\` | ${declarations.length} | ${[...new Set(names)].join(', ')} |`;
  });
  return [
    '| entry | exports | beside those named after a definition |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}
