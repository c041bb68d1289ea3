import { bodyOf, columns, count, data, findingsOf, methodOf } from './data.js';

/** The names of filters, in links too: `#method=tools/call&search=echo`. */
export const FILTERS = ['search', 'method', 'finding', 'side', 'task', 'file', 'session'];

const textOf = (row) =>
  [methodOf(row), columns.id[row], columns.label[row], bodyOf(row)]
    .concat(findingsOf(row).map(({ code, text }) => `${code} ${text}`))
    .join('\n');

const withFinding = (wanted) => (row) =>
  findingsOf(row).some(
    ({ severity, code }) => wanted === 'any' || severity === wanted || code === wanted,
  );

const equal = (column, wanted) => (row) => columns[column][row] === wanted;

const TESTS = {
  method: (wanted) => equal('method', data.methods.indexOf(wanted)),
  finding: withFinding,
  side: (wanted) => equal('from', wanted),
  task: (wanted) => equal('task', Number(wanted)),
  file: (wanted) => equal('file', Number(wanted)),
  session: (wanted) => equal('session', Number(wanted)),
  search: (wanted) => {
    const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
    return (row) => {
      const text = textOf(row).toLowerCase();
      return words.every((word) => text.includes(word));
    };
  },
};

/** The rows that pass all filters; the search comes last, because it reads the messages. */
export const rowsFor = (filters) => {
  const tests = Object.keys(TESTS)
    .filter((name) => filters[name])
    .map((name) => TESTS[name](filters[name]));
  const rows = [];
  for (let row = 0; row < count; row += 1) {
    if (tests.every((test) => test(row))) rows.push(row);
  }
  return rows;
};

/** The filters and the message in a link; undefined for a link to a section. */
export const readHash = (hash) => {
  if (!hash.includes('=')) return undefined;
  const found = {};
  for (const part of hash.slice(1).split('&')) {
    const [name, value = ''] = part.split('=');
    try {
      found[name] = decodeURIComponent(value);
    } catch {
      found[name] = '';
    }
  }
  return found;
};

export const writeHash = (filters, number) => {
  const parts = FILTERS.filter((name) => filters[name]).map(
    (name) => `${name}=${encodeURIComponent(filters[name])}`,
  );
  if (number !== undefined) parts.unshift(`message=${number}`);
  return parts.length > 0 ? `#${parts.join('&')}` : '#';
};
