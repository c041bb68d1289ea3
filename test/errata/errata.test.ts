import { describe, expect, it } from 'vitest';
import { applyErrata, ERRATA } from '../../generator/errata/index.js';
import { loadRevision, REVISIONS } from '../../generator/load/index.js';

describe('errata', () => {
  it.each(
    ERRATA.flatMap((erratum) => erratum.revisions.map((revision) => [erratum, revision] as const)),
  )('%o changes %s', (erratum, revision) => {
    const name = String(erratum.path[0]);
    const plain = loadRevision(revision, { errata: false }).document.definitions.get(name);
    const corrected = loadRevision(revision).document.definitions.get(name);
    expect(JSON.stringify(plain)).toContain(JSON.stringify(erratum.was));
    expect(JSON.stringify(corrected)).not.toContain(JSON.stringify(erratum.was));
    expect(JSON.stringify(corrected)).toContain(JSON.stringify(erratum.becomes));
  });

  it('name existing revisions', () => {
    for (const { revisions } of ERRATA) {
      for (const revision of revisions) expect(REVISIONS).toContain(revision);
    }
  });

  it('refuse a schema without the value that they correct', () => {
    const erratum = {
      id: 'gone',
      revisions: ['x'],
      path: ['A', 'type'],
      was: 'string',
      becomes: 'number',
      reason: '',
    };
    expect(() => applyErrata('x', { $defs: { A: { type: 'null' } } }, [erratum])).toThrow(/gone/);
    expect(() => applyErrata('x', { $defs: {} }, [erratum])).toThrow(/gone/);
    expect(applyErrata('x', { $defs: { A: { type: 'string' } } }, [erratum])).toEqual({
      $defs: { A: { type: 'number' } },
    });
  });
});
