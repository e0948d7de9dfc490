/** The part of a WebSocket that terminals use. */
export interface Socket {
  binaryType: string;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  /** What must not be tried again; the platform's own WebSocket never calls it. */
  onfailure?: ((failure: unknown) => void) | null;
  /** Why the handshake was refused, before the error and the close; only Node's other one learns that. */
  onrefused?: ((failure: unknown) => void) | null;
}

export type SocketOpener = (url: string, protocols: string[], headers?: Record<string, string>) => Socket;

/** The platform's own WebSocket, which Node has from version 22 on; where headers are needed, Node's other one. */
export async function socketOpener(withHeaders = false): Promise<SocketOpener> {
  if (!withHeaders && typeof WebSocket !== 'undefined') {
    return (url, protocols) => new WebSocket(url, protocols) as unknown as Socket;
  }
  const { openSocket } = await import('./node-socket.js');
  return openSocket;
}
