/** Functions that the checks of less common keywords call. */

const list: (v: unknown) => v is readonly unknown[] = Array.isArray;
const record = (v: unknown): v is { readonly [key: string]: unknown } =>
  typeof v === 'object' && v !== null && !list(v);

/** Whether two JSON values are equal, as JSON Schema compares them: deeply, and numbers by value. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (list(a) && list(b)) {
    return a.length === b.length && a.every((item, index) => same(item, b[index]));
  }
  if (!record(a) || !record(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
  );
}

/** So many items are compared with each other, which takes less than a set of them. */
const FEW = 16;

/** Whether no two items are equal. Compares texts of composite items, so that many of them take no quadratic time. */
export function distinct(items: readonly unknown[]): boolean {
  if (items.length <= FEW && items.every(isSimple)) {
    return !items.some((item, index) => hasBefore(items, item, index));
  }
  const seen = new Set<unknown>();
  for (const item of items) {
    const key = typeof item === 'object' && item !== null ? `{${canonical(item)}` : tagged(item);
    if (seen.has(key)) return false;
    seen.add(key);
  }
  return true;
}

function hasBefore(items: readonly unknown[], item: unknown, end: number): boolean {
  for (let i = 0; i < end; i++) if (items[i] === item) return true;
  return false;
}

const isSimple = (item: unknown): boolean => typeof item !== 'object' || item === null;

/** Texts and composite items share a set, so texts are marked. */
const tagged = (item: unknown): unknown => (typeof item === 'string' ? `"${item}` : item);

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  if (list(value)) return `[${value.map(canonical).join(',')}]`;
  if (!record(value)) return JSON.stringify(value === 0 ? 0 : value) ?? 'undefined';
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(',')}}`;
}

/** The number of keys. */
export function size(v: object): number {
  return Object.keys(v).length;
}

/** Whether a number is a multiple of another by the decimal digits of both: 0.3 is one of 0.1. */
export function multiple(value: number, of: number): boolean {
  if (value % of === 0) return true;
  if (Number.isInteger(value) && Number.isInteger(of)) return false;
  const [a, b] = [decimal(value), decimal(of)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent: own }: Decimal): bigint =>
    digits * 10n ** BigInt(own - exponent);
  return scaled(a) % scaled(b) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

/** The shortest decimal that stands for a number: `1.5e-7` is 15 × 10⁻⁸. */
function decimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}
