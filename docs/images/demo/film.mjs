const LONGEST_PAUSE = 1_000;

/** Screens of a terminal with the times at which they were seen, in milliseconds from the first one. */
export class Film {
  #frames = [];
  #marks = {};
  #time = 0;
  #last = 0;

  /** Adds what the screen shows now, unless it shows that already. */
  see(rows, cursor) {
    const now = performance.now();
    const before = this.#frames.at(-1);
    const text = JSON.stringify([rows, cursor]);
    if (before?.text === text) return;
    // Waits that nobody wants to watch are shortened.
    if (before !== undefined) this.#time += Math.min(now - this.#last, LONGEST_PAUSE);
    this.#last = now;
    this.#frames.push({ at: this.#time, rows, cursor, text });
  }

  /** A pause that is meant, and counts in full. */
  pause(millis) {
    this.#time += millis;
    this.#last = performance.now();
  }

  /** Gives the present moment a name. */
  mark(name) {
    this.#marks[name] = this.#now();
  }

  end() {
    return { frames: this.#frames, marks: this.#marks, length: this.#now() };
  }

  #now() {
    return this.#time + (this.#frames.length === 0 ? 0 : Math.min(performance.now() - this.#last, LONGEST_PAUSE));
  }
}
