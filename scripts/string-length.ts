/** Replaces `string-width` in the bundle, which has a default export. */
const stringLength = (text: string): number => text.length;

export { stringLength as default };
