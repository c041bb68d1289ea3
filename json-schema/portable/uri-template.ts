/** Whether the text is a URI template, by the grammar of RFC 6570. */
export function matchesUriTemplate(value: string): boolean {
  let start = 0;
  for (let open; (open = value.indexOf('{', start)) >= 0;) {
    const close = value.indexOf('}', open);
    if (close < 0 || !isTemplateText(value.slice(start, open))) return false;
    const variables = value.slice(open + 1, close).replace(/^[+#./;?&=,!@|]/, '');
    if (!variables.split(',').every(isTemplateVariable)) return false;
    start = close + 1;
  }
  return isTemplateText(value.slice(start));
}

function isTemplateText(text: string): boolean {
  // eslint-disable-next-line no-control-regex -- the grammar excludes control characters
  return !/[\x00-\x20"'<>\\^\x60{|}]|%(?![\da-f]{2})/i.test(text);
}

function isTemplateVariable(text: string): boolean {
  const name = text.replace(/(?::[1-9]\d{0,3}|\*)$/, '');
  return name !== '' && !/[^\w%]|%(?![\da-f]{2})/i.test(name);
}
