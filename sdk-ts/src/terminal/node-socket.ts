import { WebSocket } from 'ws';
import type { Socket } from './socket.js';

/** For Node; bundles for browsers leave it out. */
export function openSocket(url: string, protocols: string[], headers: Record<string, string> = {}): Socket {
  return new WebSocket(url, protocols, { perMessageDeflate: false, headers }) as unknown as Socket;
}
