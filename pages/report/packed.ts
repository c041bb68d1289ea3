/** A property of all rows: its values, or where these repeat, the different ones and a number for each row. */
export type Column =
  readonly unknown[] | { readonly of: readonly unknown[]; readonly at: readonly number[] };

/** Rows by their properties, which takes less room than objects. */
export type Packed = Readonly<Record<string, Column>>;

/** Rows that have the same properties. `undefined` stays, `null` does not. */
export function pack(rows: readonly object[]): Packed {
  const names = Object.keys(rows[0] ?? {}) as (keyof object)[];
  return Object.fromEntries(names.map((name) => [name, columnOf(rows.map((row) => row[name]))]));
}

function columnOf(values: readonly unknown[]): Column {
  const places = new Map<unknown, number>();
  const at = values.map((value) => {
    const place = places.get(value) ?? places.size;
    places.set(value, place);
    return place;
  });
  return places.size < values.length / 4 ? { of: [...places.keys()], at } : values;
}

/** The rows of {@link pack}, from JSON. */
export function unpack<Row>(packed: Packed): Row[] {
  const columns = Object.entries(packed).map(([name, column]) => [name, readerOf(column)] as const);
  const [first] = Object.values(packed);
  const { length } = first === undefined ? [] : 'of' in first ? first.at : first;
  return Array.from(
    { length },
    (_, row) => Object.fromEntries(columns.map(([name, read]) => [name, read(row)])) as Row,
  );
}

function readerOf(column: Column): (row: number) => unknown {
  if (!('of' in column)) return (row) => column[row] ?? undefined;
  return (row) => column.of[column.at[row] ?? -1] ?? undefined;
}
