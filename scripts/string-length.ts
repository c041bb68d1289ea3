/** Stands in for `string-width` in the bundle; its one export is a default one there. */
const stringLength = (text: string): number => text.length;

export { stringLength as default };
