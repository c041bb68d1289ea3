import { expect, it } from 'vitest';
import { UsageError } from '../../cli/exit.js';
import { checkRuntime } from '../../cli/runtime-option.js';

it.each([
  ...['1.2.3', 'v1.2.3', '^0.1.0', '~1.2', '~> 1.2', '1', '1.x', '*', '1.0.0-beta.2+build.5'],
  ...['>=1.2.0 <2', '>= 1.2.0 < 2', '1.2 - 2.3.4', '1.x || >=2.5.0 || 5.0.0 - 7.2.3'],
  ...['latest', 'next-1', './runtime', '../my runtime', '/runtime', '~/runtime', 'C:\\runtime'],
  ...['vendor/runtime-0.1.0.tgz', 'runtime.tar.gz', 'file:../runtime', 'workspace:*'],
  ...['https://example.com/runtime.tgz', 'git+ssh://git@example.com/a.git#semver:^1'],
  'npm:@acme/runtime@^1.0.0',
])('--runtime takes %s', (written) => {
  expect(() => checkRuntime(written)).not.toThrow();
});

it.each(['>>x', '>', '^', '1.2.3.4', '1..2', '^latest', 'a b', '1 ||', 'a@b', 'https:', ' '])(
  '--runtime refuses %j',
  (written) => {
    expect(() => checkRuntime(written)).toThrow(UsageError);
    expect(() => checkRuntime(written)).toThrow(`Invalid version "${written}" for --runtime.`);
  },
);

it.each(['a\n.tgz', './a\u001b[2J'])('--runtime refuses control characters', (written) => {
  expect(() => checkRuntime(written)).toThrow(UsageError);
});
