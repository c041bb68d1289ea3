export interface Order {
  readonly item: string;
  readonly status: 'packed' | 'sent' | 'delivered';
}

/** Stands for your database. */
export const ORDERS: ReadonlyMap<string, Order> = new Map([
  ['1001', { item: 'Teapot', status: 'delivered' }],
  ['1002', { item: 'Kettle', status: 'sent' }],
]);
