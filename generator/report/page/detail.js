/* global document */
import {
  bodyOf,
  classOf,
  columns,
  data,
  findingsOf,
  kindOf,
  mateOf,
  methodOf,
  senderOf,
  statusOf,
} from './data.js';
import { partsOf, sayDuration, sayOffset, sayTime } from './words.js';

/** An element with its children; texts stay texts. */
export const make = (name, classes, ...children) => {
  const element = document.createElement(name);
  if (classes) element.className = classes;
  element.append(...children);
  return element;
};

/** Text with `code` between backticks, as nodes. */
export const withCode = (text) =>
  text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? make('code', '', part) : part));

const link = (hash, text) => {
  const element = make('a', '', text);
  element.setAttribute('href', hash);
  return element;
};

/** `Message 17`, or the line of what is no message. */
export const nameOf = (row) =>
  columns.number[row] > 0
    ? `Message ${columns.number[row].toLocaleString('en')}`
    : `Line ${columns.line[row].toLocaleString('en')}`;

/** Fills the panel with a message, its facts and its findings. */
export const showDetail = (panel, row) => {
  if (row === undefined) {
    panel.replaceChildren(make('p', 'quiet', 'Choose a message to read it.'));
    return;
  }
  const findings = findingsOf(row);
  const lines = linesOf(row, findings);
  panel.replaceChildren(
    make('h3', '', nameOf(row), ' ', make('span', 'quiet', headline(row))),
    facts(row),
    ...(findings.length > 0 ? [findingList(findings, lines)] : []),
    ...(columns.cut[row] === '1' ? [make('p', 'quiet', 'This message is cut.')] : []),
    ...(lines.length > 0 ? [make('pre', 'body', ...lines)] : []),
  );
  panel.scrollTop = 0;
};

const headline = (row) => [methodOf(row), kindOf(row)].filter(Boolean).join(' ');

const facts = (row) => {
  const list = make('dl', 'facts');
  const add = (name, ...value) =>
    list.append(make('div', '', make('dt', '', name), make('dd', '', ...value)));
  const sender = senderOf(row);
  if (sender) add('From', sender === 'client' ? 'client to server' : 'server to client');
  else if (columns.kind[row] !== 'x') add('From', 'unclear');
  const file = data.files.length > 1 ? `${data.files[columns.file[row]]}, ` : '';
  add('Place', `${file}line ${columns.line[row].toLocaleString('en')}`);
  const ms = columns.ms[row];
  if (ms !== null) add('Time', `${sayOffset(ms)} (${sayTime(data.start + ms, data.clock)})`);
  if (columns.id[row] !== '') add('Id', make('code', '', columns.id[row]));
  addMate(row, add);
  const task = columns.task[row];
  if (task >= 0) {
    const status = statusOf(row);
    const state = status ? [' ', make('span', `key ${classOf(status)}`, status)] : [];
    add('Task', link(`#task=${task}`, data.tasks[task]), ...state);
  }
  if (columns.session[row] >= 0) add('Session', data.sessions[columns.session[row]]);
  return list;
};

const addMate = (row, add) => {
  const isRequest = columns.kind[row] === 'q';
  const mate = mateOf(row);
  if (mate === undefined) {
    if (isRequest) add('Answer', data.sampled ? 'none in this sample' : 'none');
    else if (columns.answers[row] > 0)
      add('Request', `message ${columns.answers[row]}, not in this sample`);
    return;
  }
  const took = (columns.ms[mate] - columns.ms[row]) * (isRequest ? 1 : -1);
  const isTimed = columns.ms[mate] !== null && columns.ms[row] !== null;
  const after = isTimed
    ? [isRequest ? ` after ${sayDuration(took)}` : `, ${sayDuration(took)} before`]
    : [];
  const name = `message ${columns.number[mate].toLocaleString('en')}`;
  add(isRequest ? 'Answer' : 'Request', link(`#message=${columns.number[mate]}`, name), ...after);
};

const findingList = (findings, lines) => {
  const list = make('ul', 'findings');
  for (const { severity, code, text, pointer, expected, received, first } of findings) {
    const item = make('li', severity);
    item.append(
      make('p', '', make('span', `severity ${severity}`, severity), ' ', make('code', '', code)),
    );
    const what = expected ? `expected ${expected}, received ${received}` : text;
    item.append(make('p', '', ...withCode(what)));
    if (first >= 0 && lines[first]) item.append(pointerButton(pointer, lines[first]));
    list.append(item);
  }
  return list;
};

const pointerButton = (pointer, line) => {
  const button = make('button', 'pointer', make('code', '', pointer || 'the whole message'));
  button.type = 'button';
  button.setAttribute('aria-label', `Show ${pointer || 'the whole message'}`);
  button.addEventListener('click', () => {
    line.tabIndex = -1;
    line.focus();
    line.scrollIntoView({ block: 'center' });
  });
  return button;
};

const linesOf = (row, findings) => {
  const body = bodyOf(row);
  if (body === '') return [];
  const hits = findings.filter(({ first }) => first >= 0);
  return body.split('\n').map((line, index) => {
    const hit = hits.find(({ first, last }) => first <= index && index <= last);
    // The first line of the part has the name of the finding, for readers that do not see colours.
    const mark = hits.some(({ first }) => first === index);
    const element = make('span', `line${hit ? ` hit ${hit.severity}` : ''}${mark ? ' mark' : ''}`);
    for (const [text, kind] of partsOf(line))
      element.append(kind ? make('span', kind, text) : text);
    return element;
  });
};
