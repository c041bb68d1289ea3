/** The names that each name refers to. */
export type References = ReadonlyMap<string, Iterable<string>>;

/** The names that refer to themselves, directly or through others. Takes linear time (Tarjan's algorithm). */
export function recursiveNames(references: References): Set<string> {
  const recursive = new Set<string>();
  /** The order of first visits. */
  const orders = new Map<string, number>();
  /** Visited names whose group is not complete yet: a group refers to itself as a whole. */
  const open: string[] = [];
  const isOpen = new Set<string>();

  /** `lowest` is the first visited open name that this one reaches. */
  const visit = (name: string) => {
    const order = orders.size;
    orders.set(name, order);
    open.push(name);
    isOpen.add(name);
    return { name, order, lowest: order, rest: [...(references.get(name) ?? [])] };
  };

  function close({ name, order, lowest }: ReturnType<typeof visit>): void {
    if (lowest < order) return;
    const group = open.splice(open.lastIndexOf(name));
    for (const each of group) isOpen.delete(each);
    const [only, ...others] = group;
    if (others.length > 0) for (const each of group) recursive.add(each);
    else if (only !== undefined && new Set(references.get(only)).has(only)) recursive.add(only);
  }

  for (const start of references.keys()) {
    if (orders.has(start)) continue;
    // An explicit stack, because an untrusted schema decides the length of a chain of references.
    const stack = [visit(start)];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        close(top);
        stack.pop();
        const below = stack.at(-1);
        if (below) below.lowest = Math.min(below.lowest, top.lowest);
      } else if (!orders.has(next)) {
        stack.push(visit(next));
      } else if (isOpen.has(next)) {
        top.lowest = Math.min(top.lowest, orders.get(next) ?? 0);
      }
    }
  }
  return recursive;
}

/** The names that refer to one of `goals`, directly or through others, and the goals themselves. */
export function leadingTo(goals: Iterable<string>, references: References): Set<string> {
  const users = new Map<string, string[]>();
  for (const [name, direct] of references) {
    for (const each of direct) {
      const known = users.get(each);
      if (known) known.push(name);
      else users.set(each, [name]);
    }
  }
  const leading = new Set(goals);
  // Adding to the set makes the loop longer.
  for (const name of leading) for (const user of users.get(name) ?? []) leading.add(user);
  return leading;
}
