import type { Socket } from './socket.js';

/** What takes the place of node-socket in bundles for browsers, which have a WebSocket of their own. */
export function openSocket(): Socket {
  throw new Error('There is no WebSocket here.');
}
