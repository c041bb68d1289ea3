import type { ComponentChildren } from 'preact';

/** The anchors of the page. They are kept, because other pages link to them. */
export type Place =
  | { readonly kind: 'type'; readonly name: string; readonly field?: string }
  | { readonly kind: 'method'; readonly name: string };

/** The id of a place, which is also its fragment in an address. */
export function idOf(place: Place): string {
  const field = place.kind === 'type' && place.field !== undefined ? `.${place.field}` : '';
  return `${place.kind}/${encodeURIComponent((place.name + field).replace(LONE, '\ufffd'))}`;
}

/** Half a character, which has no encoding. */
const LONE = /\p{Cs}/gu;

interface LinkProps {
  readonly to: Place;
  readonly children: ComponentChildren;
}

export function Link({ to, children }: LinkProps) {
  return <a href={`#${idOf(to)}`}>{children}</a>;
}

/** The names of the definitions that the page has. */
export type Known = ReadonlySet<string>;

interface TypeLinkProps {
  readonly name: string;
  readonly known: Known;
}

/** A link to a definition, if the page has it. */
export function TypeLink({ name, known }: TypeLinkProps) {
  const content = <code>{name}</code>;
  return known.has(name) ? <Link to={{ kind: 'type', name }}>{content}</Link> : content;
}
