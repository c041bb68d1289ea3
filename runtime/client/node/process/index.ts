export { endGroup, passSignals } from './group.js';
export { startServer } from './start.js';
export { type ProcessTransport, processTransport } from './transport.js';
