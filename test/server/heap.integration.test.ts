import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Bytes of V8's space of new objects, after many objects that stay in use for a while. */
function newSpaceOf(call: string): number {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { preferSmallHeap } from '@mcp-codegen/runtime/program';
    ${call}
    const kept = [];
    for (let index = 0; index < 3_000_000; index += 1) kept[index % 100_000] = { index };
    const space = getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
    console.log(space.space_size);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return Number(stdout);
}

it('preferSmallHeap keeps the space of new objects from growing', () => {
  expect(newSpaceOf('preferSmallHeap();')).toBeLessThan(newSpaceOf('') / 2);
});
