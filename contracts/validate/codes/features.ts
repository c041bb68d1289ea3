import type { Rule } from './rule.js';
import { CORE_REVISION, SESSIONS, STATELESS, STRICT_SINCE } from './scopes.js';

/** Rules about what servers and clients offer: tools, resources, logs, questions to users and models. */
export const FEATURES = {
  'duplicate-name': {
    severity: 'warning',
    requirements: ['BASE-TOOL-1'],
    rule: 'The tools of a page have different names.',
  },
  'bad-tool-name': {
    severity: 'warning',
    requirements: ['BASE-TOOL-2'],
    scope: `since ${CORE_REVISION}`,
    rule: 'The name of a tool has 1 to 128 characters, which are letters, digits, `_`, `-` and `.`.',
  },
  'unstable-order': {
    severity: 'warning',
    requirements: ['BASE-TOOL-3'],
    scope: STATELESS,
    rule: 'A list of the same tools has the same order.',
  },
  'wrong-arguments': {
    severity: 'warning',
    requirements: ['BASE-TOOL-4'],
    rule: 'The arguments of a call match the input schema that the server listed for the tool.',
  },
  'wrong-structured-content': {
    severity: 'error',
    requirements: ['BASE-TOOL-5'],
    scope: `since ${STRICT_SINCE}`,
    rule: 'The result of a tool that has an output schema has `structuredContent` that matches it, unless `isError` is true.',
  },
  'bad-media': {
    severity: 'error',
    requirements: ['BASE-DATA-1'],
    rule: 'Images, audio and blobs are in base64, and images and audio have a MIME type.',
  },
  'bad-uri': {
    severity: 'error',
    requirements: ['BASE-DATA-2', 'BASE-ELI-3'],
    rule: 'The URI of a listed resource is a URI, and the URL of an elicitation is a URL.',
  },
  'bad-root': {
    severity: 'error',
    requirements: ['BASE-ROOT-1'],
    rule: 'The URI of a root begins with `file://`.',
  },
  'unrequested-update': {
    severity: 'warning',
    requirements: ['BASE-RES-1'],
    scope: SESSIONS,
    rule: '`notifications/resources/updated` is about a resource to which the client is subscribed, or one below it. After `resources/unsubscribe` is answered it is not sent. It is checked where the recording begins with `initialize`.',
  },
  'too-many-completions': {
    severity: 'error',
    requirements: ['BASE-COMP-1'],
    scope: SESSIONS,
    rule: `An answer to completion/complete has at most 100 values. In ${STATELESS} the schema says it.`,
  },
  'unrequested-log': {
    severity: 'warning',
    requirements: ['BASE-LOG-1', 'BASE-LOG-2'],
    rule: `A log message has at least the level that the client set: by logging/setLevel, in ${STATELESS} in the \`_meta\` of an open request, which may precede the recording.`,
  },
  'wrong-form-content': {
    severity: 'warning',
    requirements: ['BASE-ELI-2'],
    rule: 'The content of an accepted form matches its `requestedSchema`.',
  },
  'unknown-elicitation': {
    severity: 'warning',
    requirements: ['BASE-ELI-4'],
    scope: CORE_REVISION,
    rule: '`notifications/elicitation/complete` names an elicitation that the server sent. It is checked where the recording begins with `initialize`.',
  },
  'unbalanced-tool-use': {
    severity: 'error',
    requirements: ['BASE-SAMP-2', 'BASE-SAMP-3'],
    scope: `since ${CORE_REVISION}`,
    rule: 'In the messages of a sampling request, a message with uses of tools is followed by a message of the user that has a result for each use and nothing else.',
  },
  'wrong-tool-choice': {
    severity: 'error',
    requirements: ['BASE-SAMP-4'],
    scope: `since ${CORE_REVISION}`,
    rule: "The model follows the request's `toolChoice`: it uses no tool with `none`, and one before its turn ends with `required`.",
  },
} as const satisfies Record<string, Rule>;
