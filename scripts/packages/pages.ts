/**
 * Bundles the scripts and the styles of the pages, each into one file. `explore` and `validate --report` put theirs
 * into the HTML file that they write; the task board serves its own. No page loads anything else.
 */
import { build } from 'esbuild';
import { ROOT } from './entries.js';

/** Scripts by the bundles that they become, without their endings. A style has the name of its script, or is the only file. */
const PAGES = {
  'dist/pages/doctor': 'pages/doctor/browser/doctor.css',
  'dist/pages/explore': 'pages/explore/browser/explore.ts',
  'dist/pages/report': 'pages/report/browser/report.tsx',
  'runtime/dist/pages/board': 'runtime/admin/board/page/board.tsx',
};

/** Writes the bundles. Takes about a tenth of a second. */
export async function bundlePages(): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(PAGES).flatMap(([out, source]) => [
      ...(source.endsWith('.css') ? [] : [{ out, in: source }]),
      { out, in: source.replace(/\.tsx?$/, '.css') },
    ]),
    outdir: '.',
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    // A page's style and script must not contain the end of their element.
    supported: { 'inline-script': false, 'inline-style': false },
    charset: 'utf8',
    logLevel: 'warning',
  });
}
