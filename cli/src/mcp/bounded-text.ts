/** Characters of each end that are kept: a conversation has no room for a whole build log. */
const EACH_END = 32_768;

/** Text of any length, of which the beginning and the end are kept. */
export class BoundedText {
  #head = '';
  #tail = '';
  #left = 0;

  add(piece: string): void {
    const room = EACH_END - this.#head.length;
    this.#head += piece.slice(0, room);
    const all = this.#tail + piece.slice(Math.max(room, 0));
    this.#tail = all.slice(-EACH_END);
    this.#left += all.length - this.#tail.length;
  }

  get cut(): boolean {
    return this.#left > 0;
  }

  toString(): string {
    return this.cut ? `${this.#head}\n[${this.#left} characters left out]\n${this.#tail}` : this.#head + this.#tail;
  }
}
