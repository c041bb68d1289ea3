import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { canonicalForm, structuralFingerprint } from '../../generator/read/load/fingerprint.js';
import { describeSchema } from '../../scripts/describe-schema.js';
import { readTable } from '../../scripts/revisions/table.js';
import { unusedEntries } from '../../scripts/schema-words.js';
import type { EntryId } from '../../scripts/schema-words.js';
import {
  bundled,
  lineage,
  loadDictionary,
  needsUpstream,
  repository,
  withOfficial,
} from './bundled.js';

const dictionary = loadDictionary();
const { revisions } = readTable(repository);

it('bundles every revision of schema/revisions.json', () => {
  const names = bundled.map(({ revision }) => revision);
  expect(names.toSorted()).toEqual(Object.keys(revisions).toSorted());
});

describe.each(bundled)('$revision', (entry) => {
  const { revision, source, schema } = entry;

  it('has the fingerprint in SOURCES.json', () => {
    expect(structuralFingerprint(schema)).toBe(source.fingerprint);
  });

  it('has exactly our descriptions (to fix: npm run adopt-schema)', () => {
    const described = describeSchema(schema, lineage(entry), dictionary);
    expect(described.wordlessDefinitions).toEqual([]);
    expect(JSON.stringify(schema)).toBe(JSON.stringify(described.schema));
  });

  it('links only to its definitions', () => {
    const names = definitionNames(schema);
    const targets = [...JSON.stringify(schema).matchAll(/\{@link ([^}]*)\}/g)].map(([, to]) => to);
    expect(targets.filter((target) => !names.has(target ?? ''))).toEqual([]);
  });

  it('belongs to a core revision', () => {
    expect(revisions[lineage({ revision }).at(-1) ?? '']).not.toHaveProperty('extends');
  });
});

describe.skipIf(withOfficial.length === 0)(`the official files${needsUpstream}`, () => {
  describe.each(withOfficial)('$revision', (entry) => {
    const official: unknown = JSON.parse(entry.official.toString('utf8'));

    it('is the file in SOURCES.json', () => {
      const sha256 = createHash('sha256').update(entry.official).digest('hex');
      expect(sha256).toBe(entry.source.sha256);
    });

    it('has the same structure', () => {
      expect(canonicalForm(entry.schema)).toBe(canonicalForm(official));
    });

    it('has the same order of members', () => {
      const { schema } = describeSchema(official, lineage(entry), dictionary);
      expect(JSON.stringify(entry.schema)).toBe(JSON.stringify(schema));
    });
  });

  it('share no sentence of 45 characters or more with ours', () => {
    const theirs = withOfficial.flatMap(({ official }) => longSentences(official.toString('utf8')));
    expect(theirs.length).toBeGreaterThan(500);
    const ours = withOfficial.map(({ text }) => normalise(descriptions(text).join(' '))).join(' ');
    expect(theirs.filter((sentence) => ours.includes(sentence))).toEqual([]);
  });
});

it('uses every text in schema/descriptions and schema/deprecations.json', () => {
  const used = new Set<EntryId>();
  for (const entry of bundled) {
    const described = describeSchema(entry.schema, lineage(entry), dictionary);
    for (const id of described.used) used.add(id);
  }
  expect(unusedEntries(dictionary, used)).toEqual([]);
});

function definitionNames(schema: object): Set<string> {
  const containers = Object.entries(schema).filter(([key]) => /^(\$defs|definitions)$/.test(key));
  return new Set(containers.flatMap(([, container]) => Object.keys(container as object)));
}

/** Without whitespace, asterisks and slashes, so that a comment's layout hides nothing. */
function normalise(text: string): string {
  return text.replace(/[\s*/]+/g, ' ').trim();
}

function longSentences(json: string): string[] {
  return descriptions(json)
    .flatMap((text) => normalise(text).split(/(?<=[.!?])\s+/))
    .filter((sentence) => sentence.length >= 45);
}

function descriptions(json: string): string[] {
  const found: string[] = [];
  JSON.parse(json, (key, value: unknown) => {
    if ((key === 'description' || key === 'title') && typeof value === 'string') found.push(value);
    return value;
  });
  return found;
}
