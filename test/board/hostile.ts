/** Texts of strangers: tools, owners, messages. In a page that makes HTML of one, `broken` is set. */
export const HOSTILE: readonly string[] = [
  '<script>globalThis.broken = 1</script>',
  '"><img src=x onerror="globalThis.broken = 1">',
  "' onmouseover='globalThis.broken = 1",
  '</td></table><iframe srcdoc="<script>parent.broken = 1</script>">',
  'javascript:globalThis.broken=1',
  '{{constructor.constructor("globalThis.broken=1")()}}',
  '<svg/onload=globalThis.broken=1>',
  '</script><script>globalThis.broken = 1//',
  'a\u202etxt.exe\u2066b\u200b\u0000c\u001b[31m',
  'lone \ud800 surrogate',
  '\u2028\u2029 lines',
  '__proto__',
  'x'.repeat(300),
];
