export { anyObject, at, isObject, member } from '../wire/json.js';
