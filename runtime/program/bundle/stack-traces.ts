/**
 * The beginning of a bundle, by which stack traces name the sources of the project. Node.js does the same with
 * `--enable-source-maps`, but it reads the map and measures every line of the bundle at each start, which takes a
 * twentieth of the start. This reads the map when the first stack is looked at.
 *
 * It is a text, because it has to run before the modules of the bundle.
 */
export const STACK_TRACES = `
if (!process.execArgv.includes('--enable-source-maps')) {
  let map;
  const read = () => {
    const { SourceMap } = process.getBuiltinModule('node:module');
    const { readFileSync } = process.getBuiltinModule('node:fs');
    return new SourceMap(JSON.parse(readFileSync(new URL(import.meta.url + '.map'), 'utf8')));
  };
  const traced = (frame) => {
    const [text, line, column] = [String(frame), frame.getLineNumber(), frame.getColumnNumber()];
    const place = import.meta.url + ':' + line + ':' + column;
    if (!text.includes(place)) return text;
    const { originalSource, originalLine, originalColumn } = (map ??= read()).findEntry(line - 1, column - 1);
    if (originalSource === undefined) return text;
    const source = new URL(originalSource, import.meta.url).href;
    return text.replace(place, () => source + ':' + (originalLine + 1) + ':' + (originalColumn + 1));
  };
  const unmapped = (error, frames) => [Error.prototype.toString.call(error), ...frames].join('\\n    at ');
  Error.prepareStackTrace = (error, frames) => {
    try {
      return unmapped(error, frames.map(traced));
    } catch {
      return unmapped(error, frames);
    }
  };
}
`;
