/** The path of a revision's page on the site, without its ending. A file of its own, because VitePress reads no JSX. */
export const referencePath = (revision: string): string => `reference/${revision}`;
