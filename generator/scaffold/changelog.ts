interface Section {
  readonly version: string;
  readonly text: string;
}

/**
 * The sections of a changelog that are newer than a version, unchanged, below its title; all sections when the version is
 * unknown. A section begins with `## <version>`; one of a version without changes is left out. Empty when there are none.
 */
export function changesSince(changelog: string, version: string | undefined): string {
  const newer = sectionsOf(changelog)
    .filter((each) => version === undefined || compareVersions(each.version, version) > 0)
    .filter(({ text }) => text.includes('\n'));
  const title = changelog.split(/^(?=## )/m)[0]?.trim() ?? '';
  return newer.length === 0 ? '' : [title, ...newer.map(({ text }) => text)].join('\n\n');
}

function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^(?=## )/m)
    .map((text) => ({ version: /^## (\d+\.\d+\.\d+)/.exec(text)?.[1], text: text.trim() }))
    .filter((each): each is Section => each.version !== undefined);
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((each) => each.split('.').map(Number));
  const at = [0, 1, 2].find((index) => left?.[index] !== right?.[index]) ?? 0;
  return (left?.[at] ?? 0) - (right?.[at] ?? 0);
}
