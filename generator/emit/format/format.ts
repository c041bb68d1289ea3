import type { Options } from 'prettier';

/** The style of all generated code, independent of the user's settings. */
export const STYLE = { printWidth: 100, singleQuote: true } as const satisfies Options;

/** Formats TypeScript; loads Prettier at its first use. */
export async function formatTypeScript(text: string): Promise<string> {
  const [{ format }, babel, estree] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/babel'),
    import('prettier/plugins/estree'),
  ]);
  return await format(text, { ...STYLE, parser: 'babel-ts', plugins: [babel, estree] });
}
