const VALUES: readonly unknown[] = [null, true, 1.5, 'text', '', [], [null], {}, { a: 1 }];

/** The value with each of its parts replaced by each type of JSON, and with each member left out. */
export function* mutants(value: unknown): Generator<unknown> {
  for (const each of VALUES) yield each;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const others = Object.entries(value).filter(([name]) => name !== key);
    if (Array.isArray(value)) for (const each of mutants(inner)) yield [each];
    else {
      yield Object.fromEntries(others);
      for (const each of mutants(inner)) yield { ...value, [key]: each };
    }
  }
}
