import { describe, expect, it } from 'vitest';
import { faultOf } from '../../scripts/subject.js';

describe('the subject of a commit', () => {
  it.each([
    'tasks: ignore status events older than the last one seen',
    'sarif, ir: one place for what lock and lint share',
    'docs/decisions: say why',
    `a: ${'x'.repeat(66)}`,
    `Revert "tasks: ${'x'.repeat(62)}"`,
  ])('%j is right', (subject) => {
    expect(faultOf(subject)).toBeUndefined();
  });

  it.each([
    [`a: ${'x'.repeat(67)}`, 'has 70 characters'],
    [`a: ${'ü'.repeat(67)}`, 'has 70 characters'],
    ['Ignore older status events', 'does not begin with the area'],
    ['tasks:ignore', 'does not begin with the area'],
    ['tasks: ', 'does not begin with the area'],
    ['', 'does not begin with the area'],
  ])('%j is wrong', (subject, fault) => {
    expect(faultOf(subject)).toContain(fault);
  });
});
