/** Parts of names whose values are secrets, in lower case without separators. */
const PARTS = [
  'accesskey',
  'accountkey',
  'apikey',
  'authkey',
  'authoriz',
  'authenticat',
  'bearer',
  'clientassertion',
  'codeverifier',
  'connectionstring',
  'cookie',
  'credential',
  'cvv',
  'jwt',
  'passcode',
  'passphrase',
  'passwd',
  'password',
  'passwort',
  'privatekey',
  'pwd',
  'secret',
  'sessid',
  'sessionid',
  'sessionkey',
  'signature',
  'signingkey',
  'encryptionkey',
  'licensekey',
  'masterkey',
  'servicekey',
  'sharedkey',
  'sshkey',
  'storagekey',
  'token',
  'xsrf',
  'csrf',
];
/** Names of secrets that other words contain: the whole name, or its last word. */
const WHOLE = new Set(
  ['auth', 'xauth', 'otp', 'pass', 'pin', 'requeststate'].concat([
    'sess',
    'session',
    'sid',
    'ssn',
    'sig',
  ]),
);
/** Names in a URL's query, beside the others. */
const IN_QUERY = new Set(['code', 'key', 'sig', 'state']);
/** Names of the protocol and of OAuth's metadata that contain such a part, and are no secrets. */
const HARMLESS = new Set([
  'progresstoken',
  'tokentype',
  'tokenendpoint',
  'tokenendpointauthmethodssupported',
  'authorizationendpoint',
  'authorizationservers',
]);
/** Counts of tokens of a language model: secrets are not numbers. */
const COUNTS = /tokens$|^tokencount$/;
/** Names of such counts, whatever their values are said to be. */
const COUNTED = /^(?:max|min|total|input|output|prompt|completion)\p{L}*tokens$/u;

/** Names repeat in all messages of a recording. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 5_000;
const LONGEST = 200;

/** `access_token`, `X-Api-Key`, `clientSecret`: whether the value under this name is a secret. */
export function isSecretName(name: string, value?: unknown): boolean {
  if (typeof value === 'number' && COUNTS.test(plain(name.slice(0, LONGEST)))) return false;
  if (name.length > LONGEST) return isNameOfSecret(name.slice(0, 10 * LONGEST));
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  const isSecret = isNameOfSecret(name);
  known.set(name, isSecret);
  return isSecret;
}

function isNameOfSecret(name: string): boolean {
  const whole = plain(name);
  if (HARMLESS.has(whole) || COUNTED.test(whole)) return false;
  return (
    [whole, lastWord(name)].some((word) => WHOLE.has(word)) ||
    PARTS.some((part) => whole.includes(part))
  );
}

/** `pass` of `dbPass` and `db_pass`. */
function lastWord(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1 $2').split(/[^\p{L}\p{N}]+/u);
  return plain(words.at(-1) ?? '');
}

/** Whether the value under this name in a URL is a secret. The name may be encoded. */
export function isSecretInQuery(name: string): boolean {
  const decoded = decode(name);
  return isSecretName(decoded) || IN_QUERY.has(plain(decoded));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function plain(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
