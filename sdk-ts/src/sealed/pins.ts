/** Remembers which host key a sandbox showed; who has seen it once cannot be given another one. */
export interface PinStore {
  get(name: string): Promise<string | undefined> | string | undefined;
  put(name: string, hostKey: string): Promise<void> | void;
}

/** For as long as this program runs. */
export function memoryPins(): PinStore {
  const pins = new Map<string, string>();
  return { get: (name) => pins.get(name), put: (name, hostKey) => void pins.set(name, hostKey) };
}

/** In a browser's `localStorage`, say. */
export function storagePins(storage: Pick<Storage, 'getItem' | 'setItem'>): PinStore {
  const name = (of: string): string => `bivouac.host-key ${of}`;
  return { get: (of) => storage.getItem(name(of)) ?? undefined, put: (of, hostKey) => storage.setItem(name(of), hostKey) };
}
