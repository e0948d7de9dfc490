/** The method by which Node prints an object; Deno knows it too. */
export const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** What is shown in place of a secret. */
export const HIDDEN = '[hidden]';
