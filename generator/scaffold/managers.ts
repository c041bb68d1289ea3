import type { Features } from './template.js';

/** How a package manager is used. */
export interface Manager {
  readonly name: string;
  /** Installs exactly what its lock file says, where only Node.js is there: a line each. */
  readonly installation: readonly string[];
  /** The file that it reads. In a workspace, that is in another folder. */
  readonly lock: string;
  /** Other files that the installation reads. */
  readonly files: readonly string[];
  /** Builds, and then removes what only the build needs. */
  readonly build: string;
  /** Between a script and its options. */
  readonly dashes: string;
}

const NPM: Manager = {
  name: 'npm',
  installation: ['npm ci'],
  lock: 'package-lock.json',
  files: ['package.json'],
  build: 'npm run build && npm prune --omit=dev',
  dashes: ' --',
};

const MANAGERS: readonly Manager[] = [
  NPM,
  {
    name: 'pnpm',
    installation: ['npm install --global pnpm', 'pnpm install --frozen-lockfile'],
    lock: 'pnpm-lock.yaml',
    files: ['package.json', 'pnpm-workspace.yaml'],
    build: 'pnpm run build && pnpm prune --prod',
    dashes: '',
  },
  {
    name: 'yarn',
    installation: [
      // Images contain Yarn 1. The lock files of later versions contain __metadata.
      'if grep -q __metadata yarn.lock; then npm install --global --force @yarnpkg/cli-dist; fi',
      'yarn install --frozen-lockfile',
    ],
    lock: 'yarn.lock',
    files: ['package.json', '.yarnrc.yml'],
    build:
      'yarn run build && if grep -q __metadata yarn.lock; \\\n' +
      '    then yarn workspaces focus --production; \\\n' +
      '    else yarn install --frozen-lockfile --production; fi',
    dashes: '',
  },
  {
    name: 'bun',
    installation: ['npm install --global bun', 'bun install --frozen-lockfile'],
    lock: 'bun.lock',
    files: ['package.json'],
    build: 'bun run build && rm -rf node_modules && bun install --frozen-lockfile --production',
    dashes: '',
  },
];

export function managerOf(features: Features): Manager {
  return MANAGERS.find(({ name }) => features.has(name)) ?? NPM;
}

/** `npm run test`; `bun test` would be Bun's own test runner. */
export function scriptOf(features: Features, script: string): string {
  return `${managerOf(features).name} run ${script}`;
}
