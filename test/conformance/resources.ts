import { defineResource, defineResourceTemplate } from '../../runtime/server/index.js';
import { PIXEL } from './media.js';

/** The suite's resources. */
export const resources = [
  defineResource({
    uri: 'test://static-text',
    name: 'static text',
    mimeType: 'text/plain',
    read: () => ({ text: 'The content of a static text resource.' }),
  }),
  defineResource({
    uri: 'test://watched-resource',
    name: 'watched',
    mimeType: 'text/plain',
    read: () => ({ text: 'Worth watching.' }),
  }),
  defineResource({
    uri: 'test://static-binary',
    name: 'static binary',
    mimeType: 'image/png',
    read: () => ({ blob: PIXEL }),
  }),
  defineResourceTemplate({
    uriTemplate: 'test://template/{id}/data',
    name: 'template',
    mimeType: 'application/json',
    read: ({ variables: { id } }) => ({ json: { id, templateTest: true } }),
  }),
];
