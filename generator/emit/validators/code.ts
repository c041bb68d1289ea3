/** The layout of conditions in emitted functions. */

/** `return a && b;`, one operand a line when there are several. */
export function returns(operands: readonly string[], operator: Operator): string {
  const line = `  return ${join(operands, operator)};\n`;
  if (line.length <= 100) return line;
  return `  return (\n    ${join(operands, operator, '\n    ')}\n  );\n`;
}

export type Operator = '&&' | '||';

/** In one expression. The compiler gives up (TS2563, or an exhausted stack) from about 1,000 on. */
export const MOST_OPERANDS = 200;

export function join(operands: readonly string[], operator: Operator, separator = ' '): string {
  return operands.join(` ${operator}${separator}`) || String(operator === '&&');
}

export function refuseUnless(operands: readonly string[]): string {
  const all = operands.join(' && ');
  if (operands.length === 1) return `  if (${negate(all)}) return false;\n`;
  const line = `  if (!(${all})) return false;\n`;
  if (line.length <= 100) return line;
  return `  if (\n    !(\n      ${operands.join(' &&\n      ')}\n    )\n  ) {\n    return false;\n  }\n`;
}

export function negate(expression: string): string {
  if (expression === 'false') return 'true';
  if (/^typeof [\w.]+ === '\w+'$/.test(expression)) return expression.replace('===', '!==');
  if (/^\w+\([^()]*\)$/.test(expression) || /^\([^()]*\)$/.test(expression))
    return `!${expression}`;
  return `!(${expression})`;
}

/** A parameter's name, with an underscore where the code does not use it: compilers refuse that. */
export function parameter(name: string, code: string): string {
  return new RegExp(`\\b${name}\\b`).test(withoutTexts(code)) ? name : `_${name}`;
}

/** Code without the contents of its string literals. */
function withoutTexts(code: string): string {
  return code.replaceAll(/\\./g, '').replaceAll(/'[^']*'|"[^"]*"/g, "''");
}
