import { describe, expect, it } from 'vitest';
import { fold } from '../../generator/scaffold/fold.js';
import { pruneImports } from '../../generator/scaffold/prune.js';
import { specialise, specialiseLines } from '../../generator/scaffold/specialise.js';
import { keepWhen } from '../../generator/scaffold/when.js';

const features = (...names: string[]): ReadonlySet<string> => new Set(names);
/** Ignores layout, which Prettier changes later. */
const tidy = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('@when', () => {
  const source = `
    import { a, /* @when http */ b } from './x.js';
    /** @when http */
    import './effect.js';
    interface I {
      /**
       * The port.
       * @when http
       */
      port: number;
      name: string; // of the server
    }
    class C {
      /** @when http bearer */
      guard = 1;
    }
    const list = [/* @when core */ 'core', /* @when ext */ 'ext'];
    const object = {
      one: 1, // first
      // @when http
      // It explains.
      two: 2,
      /** @when http */ ...more,
    };
    /** @when http */
    export { x } from './y.js';
    /** The end. @when http */
    function end() {
      /** @when ext */
      call();
    }
  `;

  it('removes code of other features with its comments', () => {
    expect(tidy(keepWhen(source, features()))).toBe(
      tidy(`
        import { a, } from './x.js';
        interface I { name: string; // of the server
        }
        class C { }
        const list = [ ];
        const object = {
          one: 1, // first
        };
      `),
    );
  });

  it('keeps code of the chosen features without the mark', () => {
    const all = keepWhen(source, features('http', 'bearer', 'core', 'ext'));
    expect(all).not.toContain('@when');
    expect(tidy(all)).toContain("import './effect.js'");
    expect(tidy(all)).toContain('/** * The port. */ port: number;');
    expect(tidy(all)).toContain('// It explains. two: 2, ...more,');
    expect(tidy(all)).toContain('/** The end. */ function end() { call(); }');
  });

  it('needs all of several features', () => {
    expect(keepWhen(source, features('http'))).not.toContain('guard');
    expect(keepWhen(source, features('http', 'bearer'))).toContain('guard');
  });

  it.each(['f(/* @when http */ 1);', 'const x = /* @when http */ 1;', '// @when http\n'])(
    'refuses a mark before what cannot go: %s',
    (text) => {
      expect(() => keepWhen(text, features())).toThrow('@when before nothing');
    },
  );

  it('ignores marks in strings and templates', () => {
    const text = 'const x = "@when"; const y = `${x} http`;';
    expect(() => keepWhen(text, features())).toThrow();
    expect(keepWhen(text.replace('@', ''), features())).toBe(text.replace('@', ''));
  });
});

describe('feature.x', () => {
  const folded = (code: string, ...held: string[]): string =>
    tidy(
      fold(`import { feature } from './feature.js';\n${code}`, features(...held)).replace(
        /^import .*\n/,
        '',
      ),
    );

  it.each([
    ['if (feature.a) { one(); two(); } three();', 'one(); two(); three();', 'three();'],
    ['if (feature.a) one(); else two();', 'one();', 'two();'],
    ['if (!feature.a) { one(); } else if (x) { two(); }', 'if (x) { two(); }', 'one();'],
    ['if (x) one(); else if (feature.a) two();', 'if (x) one(); else two();', 'if (x) one();'],
    [
      'if (x) one(); else if (feature.a) { two(); three(); }',
      'if (x) one(); else { two(); three(); }',
      'if (x) one();',
    ],
    ['for (;;) if (feature.a) { one(); two(); }', 'for (;;) { one(); two(); }', 'for (;;) {}'],
    ['const x = feature.a ? one : two;', 'const x = one;', 'const x = two;'],
    ['const x = { ...(feature.a && { y: 1, z }) };', 'const x = { y: 1, z };', 'const x = { };'],
    ['const x = { ...(feature.a && y), z };', 'const x = { ...(y), z };', 'const x = { z };'],
    ['const x = feature.a && y;', 'const x = y;', 'const x = false;'],
    ['const x = y || feature.a;', 'const x = true;', 'const x = y;'],
    ['if (feature.a && (y || !feature.a)) one();', 'if ((y)) one();', ''],
    ['if (feature.a) { if (feature.b) one(); else two(); }', 'two();', ''],
  ])('decides %s', (code, held, not) => {
    expect([folded(code, 'a'), folded(code)]).toEqual([held, not]);
  });

  it('removes the comment of removed code', () => {
    const code =
      'zero();\n// Why.\nif (feature.a) one();\nconst x = {\n  // Why.\n  ...(feature.a && { y }),\n};';
    expect(folded(code)).toBe('zero(); const x = { };');
  });

  it.each(['call(feature);', 'const { a } = feature;', 'const x = feature["a"];'])(
    'refuses what it cannot decide: %s',
    (code) => expect(() => folded(code)).toThrow('cannot be folded'),
  );

  it('ignores a variable feature from another module', () => {
    const code = "import { feature } from './features.js';\nif (feature.a) one();";
    expect(fold(code, features())).toBe(code);
  });
});

describe('imports', () => {
  it('are removed exactly when no code uses them', () => {
    const text = `import './effect.js';
import all from 'all';
import * as space from 'space';
import type { Gone } from './gone.js';
import { used, unused, type Kept, renamed as local } from './x.js';
import named, { other } from './y.js';
const x: Kept = space.value + local(named);
const o = { unused: used };
export type { T } from './t.js';
`;
    expect(pruneImports(text)).toBe(`import './effect.js';
import * as space from 'space';
import { used, unused, type Kept, renamed as local } from './x.js';
import named, { } from './y.js';
const x: Kept = space.value + local(named);
const o = { unused: used };
export type { T } from './t.js';
`);
  });

  it('are removed when only a member has the same name', () => {
    expect(pruneImports("import { on } from './x.js';\nthing.on();\n")).toBe('thing.on();\n');
  });
});

describe('a whole file', () => {
  it('is formatted as hand-written code', () => {
    const text = `import { feature } from './feature.js';
import { bearer, serveHttp, serveStdio } from './mcp/index.js';

export async function start() {
  if (feature.stdio) {
    return serveStdio();
  } else {
    return await serveHttp({ ...(feature.bearer && { auth: bearer() }) });
  }
}
`;
    expect(tidy(specialise(text, features('stdio')))).toBe(
      "import { serveStdio } from './mcp/index.js'; export async function start() { return serveStdio(); }",
    );
    expect(tidy(specialise(text, features('http', 'bearer')))).toBe(
      "import { bearer, serveHttp, } from './mcp/index.js'; export async function start() { return await serveHttp({ auth: bearer() }); }",
    );
  });

  it('without features is unchanged', () => {
    const text = 'import { x } from "./x.js" ;\n  f( )\n';
    expect(specialise(text, features())).toBe(text);
  });
});

describe('lines', () => {
  const text = `# Title

<!-- @when http -->

Web.

<!-- @end -->
<!-- @when http none -->
Open.
<!-- @end -->

\`\`\`sh
# @when npm
npm ci
# @end
run # @when it suits
\`\`\`
`;

  it('stay when their features are chosen', () => {
    expect(specialiseLines(text, features('npm'))).toBe(
      '# Title\n\n```sh\nnpm ci\nrun # @when it suits\n```\n',
    );
    expect(specialiseLines(text, features('http', 'none'))).toBe(
      '# Title\n\nWeb.\n\nOpen.\n\n```sh\nrun # @when it suits\n```\n',
    );
  });

  it.each(['# @when http\nx\n', '# @end\n'])('without the other half are refused: %j', (lines) => {
    expect(() => specialiseLines(lines, features())).toThrow('without');
  });
});
