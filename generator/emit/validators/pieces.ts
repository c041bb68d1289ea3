/** The parts that a file of validators is made of besides what the schema says, by name. */
export type Pieces = Readonly<Record<string, string>>;

/**
 * The pieces whose names occur in the text, and those that they need in turn, in their own order:
 * generated code compiles with `noUnusedLocals`.
 */
export function piecesFor(text: string, pieces: Pieces): string[] {
  const wanted = new Set<string>();
  const queue = [text];
  for (let part = queue.pop(); part !== undefined; part = queue.pop()) {
    const words = identifiersIn(part);
    for (const [name, source] of Object.entries(pieces)) {
      if (wanted.has(name) || !words.has(name)) continue;
      wanted.add(name);
      queue.push(source);
    }
  }
  return Object.keys(pieces)
    .filter((name) => wanted.has(name))
    .map((name) => pieces[name] ?? '');
}

/** Every word that may be a name in scope: not in a comment or a text, nor a member or a key. */
function identifiersIn(source: string): Set<string> {
  const code = source
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, '');
  return new Set(code.match(/(?<![.\w$])[\w$]+(?![\w$]|\??:)/g));
}
