/** What the site reads in Markdown. The pages are our own, so this needs no parser of all of Markdown. */

/** Blocks and spans of code, in which nothing is a link. */
const CODE = /(^ *```[^]*?^ *```$|``[^\n]*?``|`[^`\n]*`)/m;
const LINK = /(\]\()([^)\s]+)(?=\))|^(\[[^\]]+\]: )(\S+)$/gm;

/** The page with each target of a link or an image replaced. */
export function mapLinks(text: string, replaced: (target: string) => string): string {
  return text
    .split(CODE)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replace(
            LINK,
            (_, inline?: string, target?: string, below?: string, defined?: string) =>
              (inline ?? below ?? '') + replaced(target ?? defined ?? ''),
          ),
    )
    .join('');
}

/** The first heading of a page, without the marks of code. */
export function titleOf(text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined) throw new Error(`No title: ${text.slice(0, 80)}`);
  return title.replaceAll('`', '');
}

/** The anchor that GitHub gives to a heading. A second heading of the same text gets `-1`. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
