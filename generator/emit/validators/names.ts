/** Hands out identifiers that nobody else has. */
export interface Names {
  /** The wanted name, or the first of `name2`, `name3`, … that is free. */
  take(wanted: string): string;
}

export function createNames(reserved: Iterable<string>): Names {
  const taken = new Set(reserved);
  return {
    take(wanted) {
      let name = wanted;
      for (let count = 2; taken.has(name); count++) name = `${wanted}${count}`;
      taken.add(name);
      return name;
    },
  };
}

/** `inputSchema` → `InputSchema`, `io.example/a-b` → `IoExampleAB`: a part of an identifier. */
export function pascalCase(text: string): string {
  return text
    .split(/[^\p{ID_Continue}]+/u)
    .filter((part) => part !== '')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
