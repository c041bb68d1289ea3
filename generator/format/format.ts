import type { Options } from 'prettier';

/** The style of everything that is generated, whatever the user's own settings are. */
export const STYLE = { printWidth: 100, singleQuote: true } as const satisfies Options;

/** Lays TypeScript out; loads Prettier on first use. */
export async function formatTypeScript(text: string): Promise<string> {
  const [{ format }, babel, estree] = await Promise.all([
    import('prettier/standalone'),
    import('prettier/plugins/babel'),
    import('prettier/plugins/estree'),
  ]);
  return await format(text, { ...STYLE, parser: 'babel-ts', plugins: [babel, estree] });
}
