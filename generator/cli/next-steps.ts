import { featuresOf, heldBy } from '../scaffold/index.js';
import type { Template } from '../scaffold/index.js';
import type { Answers } from './answers.js';

/** What to do with a new project: commands, as they are typed, from the current folder. */
export function nextSteps(template: Template, answers: Answers): string[] {
  const { choices, shown, install } = answers;
  const pm = choices['pm']?.[0] ?? 'npm';
  const environment = heldBy(template.environment, featuresOf(choices));
  return [
    ...(shown === '.' ? [] : [`cd ${word(shown)}`]),
    ...(install ? [] : [`${pm} install`]),
    // Bun has a test runner of its own under that name.
    `${pm} run test`,
    `${pm} run build`,
    [...environment, template.start].join(' '),
  ];
}

/** The command that makes the same project again, without asking anything. */
export function repeatCommand(template: Template, answers: Answers): string {
  const { choices, dir, name, git, install, runtime } = answers;
  const flags = template.options.flatMap(({ name: option, isFlag }) => {
    const chosen = (choices[option] ?? []).join(',');
    if (isFlag) return chosen === option ? [`--${option}`] : [];
    return [`--${option}`, chosen];
  });
  return [
    'npx',
    'mcp-codegen',
    'new',
    template.name,
    word(dir),
    '--name',
    name,
    ...flags,
    ...(runtime === undefined ? [] : ['--runtime', word(runtime)]),
    ...(git ? ['--git'] : []),
    ...(install ? ['--install'] : []),
    '--no-input',
  ].join(' ');
}

/** Quoted where a shell would take it for more than a word. */
function word(text: string): string {
  return /^[\w.,:@%+=~/\\-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
