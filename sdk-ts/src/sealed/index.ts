/** End-to-end encryption: terminals that nobody between a client and the sandbox can read. */
export { HostKeyChangedError, NotOwnerError, RefusedByHostError, TamperedError } from './errors.js';
export { fingerprint, SealKey } from './keys.js';
export { memoryPins, storagePins, type PinStore } from './pins.js';
export { openRecording, type OpenedRecording } from './recording.js';
export { sealed, TerminalSeal, type SealOptions } from './seal.js';
