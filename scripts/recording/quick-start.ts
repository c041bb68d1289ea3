/** A shell block of the quick start, and what its last command prints. */
export interface Scene {
  readonly commands: readonly string[];
  readonly printed: string;
}

/** The quick start of the README, as it is recorded. */
export function quickStart(readme: string): Scene[] {
  const [, after = ''] = readme.split('\n## You have an idea\n');
  const [section = ''] = after.split('\n## ');
  const scenes: Scene[] = [];
  for (const [, language = '', text = ''] of section.matchAll(/^```(\w*)\n([^]*?)^```$/gm)) {
    if (language === 'sh') scenes.push({ commands: text.trimEnd().split('\n'), printed: '' });
    else if (language === '')
      scenes.push({ commands: scenes.pop()?.commands ?? [], printed: text.trimEnd() });
  }
  return scenes;
}
