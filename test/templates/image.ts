import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ImageStep {
  readonly instruction: 'COPY' | 'RUN';
  readonly line: string;
}

/** The steps of the first stage of a project's Dockerfile. */
export function imageStepsOf(root: string): ImageStep[] {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
  const [build = ''] = dockerfile.split(/^FROM /m).slice(1);
  return [...build.matchAll(/^(COPY|RUN) (.*)$/gm)].map(([, instruction, line = '']) => ({
    instruction: instruction as ImageStep['instruction'],
    line,
  }));
}

/** Copies files into a working directory as Docker does; a name with `*` may have none. */
export function copyAsDocker(from: string, to: string, line: string): void {
  const words = line.split(' ');
  const target = words.at(-1) ?? '';
  for (const word of words.slice(0, -1)) {
    const path = word.replace('*', '');
    if (path !== word && !existsSync(join(from, path))) continue;
    cpSync(join(from, path), join(to, target === './' ? path : target), { recursive: true });
  }
}
