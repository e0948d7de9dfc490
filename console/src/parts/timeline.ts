import type { Recording, RecordingEvent } from '@bivouac/sdk';

/** An event at its time from the beginning, in seconds. */
export interface Moment {
  at: number;
  event: RecordingEvent;
}

/** A whole recording in the order of time; pauses are cut to what somebody would wait for. */
export class Timeline {
  readonly moments: Moment[] = [];
  length = 0;

  static async of(recording: Recording, longestPause: number): Promise<Timeline> {
    const line = new Timeline();
    for await (const event of recording) {
      line.length += Math.min(event.after, longestPause);
      line.moments.push({ at: line.length, event });
    }
    return line;
  }

  /** How many of them have happened by then. */
  until(time: number): number {
    let low = 0;
    let high = this.moments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.moments[middle]?.at ?? 0) <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
