/** An element of JSON, which the browser does not run. Without `<`, no text can end it. Scripts find it by its id or class. */
export function dataElement(attribute: 'class' | 'id', name: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c');
  return `<script type="application/json" ${attribute}="${name}">${json}</script>\n`;
}
