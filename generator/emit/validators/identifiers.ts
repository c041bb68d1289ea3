/** Hands out unique identifiers. */
export interface Names {
  /** The wanted name, or the first of `name2`, `name3`, … that is free. */
  take(wanted: string): string;
}

export function createNames(reserved: Iterable<string>): Names {
  const taken = new Set(reserved);
  const counts = new Map<string, number>();
  return {
    take(wanted) {
      let name = wanted;
      let count = counts.get(wanted) ?? 1;
      while (taken.has(name)) name = `${wanted}${(count += 1)}`;
      counts.set(wanted, count);
      taken.add(name);
      return name;
    },
  };
}

/** `inputSchema` → `InputSchema`, `io.example/a-b` → `IoExampleAB`: a part of a name that is not exported. */
export function pascalCase(text: string): string {
  return text
    .slice(0, LONGEST)
    .split(/[^A-Za-z0-9_$]+/)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

/** A name made of the path to a place in a schema, which may be long. */
export function pathName(path: string, part: string): string {
  return [...(path + part)].slice(0, LONGEST).join('');
}

const LONGEST = 80;
