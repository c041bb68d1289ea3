import { describe, expect, it } from 'vitest';
import { applyErrata, ERRATA } from '../../generator/errata/index.js';
import type { JsonValue } from '../../generator/ir/index.js';
import { loadRevision, parseSource, REVISIONS } from '../../generator/load/index.js';

interface Json {
  [key: string]: JsonValue;
}

describe('errata', () => {
  it.each(
    ERRATA.flatMap((erratum) => erratum.revisions.map((revision) => [erratum, revision] as const)),
  )('%o changes %s', (erratum, revision) => {
    const name = String(erratum.path[0]);
    const json = parseSource(loadRevision(revision).source) as Json;
    const textOf = (document: Json): string =>
      JSON.stringify(
        { ...(document['$defs'] as Json), ...(document['definitions'] as Json) }[name],
      );
    const [plain, corrected] = [textOf(json), textOf(applyErrata(revision, json))];
    expect(plain).toContain(JSON.stringify(erratum.was));
    expect(corrected).not.toContain(JSON.stringify(erratum.was));
    expect(corrected).toContain(JSON.stringify(erratum.becomes));
    const read = (errata: boolean): unknown =>
      loadRevision(revision, { errata }).document.definitions.get(name);
    expect(read(true)).not.toEqual(read(false));
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
