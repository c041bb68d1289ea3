/** Programs that stand for servers, as arguments of Node.js. */

/** Writes what it reads, as it is. */
export const ECHO = ['-e', 'process.stdin.pipe(process.stdout)'] as const;

/** Answers each line with these results, one after the other, then ends as told: an exit code or a signal. */
export function script(
  results: readonly object[],
  end: { readonly code: number } | { readonly signal: string },
): readonly string[] {
  const ending =
    'code' in end
      ? `process.exit(${String(end.code)})`
      : `process.kill(process.pid, '${end.signal}')`;
  const source = `
    const results = ${JSON.stringify(results)};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id } = JSON.parse(line);
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: results.shift() });
      process.stdout.write(answer + '\\n', () => { if (results.length === 0) ${ending}; });
    });`;
  return ['-e', source];
}
