import { featuresIn, heldBy } from '../generator/scaffold/index.js';
import type { Template } from '../generator/scaffold/index.js';
import type { Answers } from './answers.js';
import { shellWord } from './shell.js';

/** The next steps with a new project, as commands to type in the current folder. */
export function nextSteps(template: Template, answers: Answers): string[] {
  const { choices, shown, install } = answers;
  const pm = choices['pm']?.[0] ?? 'npm';
  const features = featuresIn(template, choices);
  const environment = heldBy(template.environment, features);
  const isTested = template.scripts['test']?.every((each) => features.has(each)) ?? true;
  return [
    ...(shown === '.' ? [] : [`cd ${shellWord(shown)}`]),
    ...(install ? [] : [`${pm} install`]),
    // `bun test` is Bun's own test runner.
    ...(isTested ? [`${pm} run test`] : []),
    `${pm} run build`,
    ...heldBy(template.preparation, features),
    [...environment, template.start].join(' '),
  ];
}

/** The command that creates the same project without prompts. */
export function repeatCommand(template: Template, answers: Answers): string {
  const { choices, dir, name, git, install, runtime } = answers;
  const flags = template.options.flatMap(({ name: option, isFlag }) => {
    const chosen = (choices[option] ?? []).join(',');
    if (isFlag) return chosen === option ? [`--${option}`] : [];
    return chosen === '' ? [`--${option}=`] : [`--${option}`, chosen];
  });
  return [
    'npx',
    'mcp-codegen',
    'new',
    template.name,
    shellWord(dir),
    '--name',
    name,
    ...flags,
    ...(runtime === undefined ? [] : ['--runtime', shellWord(runtime)]),
    ...(git ? ['--git'] : []),
    ...(install ? ['--install'] : []),
    '--no-input',
  ].join(' ');
}
