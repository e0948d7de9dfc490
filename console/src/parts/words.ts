/** `in 12 min`, `3 h ago`. */
export function relative(time: string, now = Date.now()): string {
  const difference = Date.parse(time) - now;
  return difference < 0 ? `${duration(-difference)} ago` : `in ${duration(difference)}`;
}

/** In the reader's own time: `14:05`, or with its date when it is not today. */
export function atTime(time: string, now = new Date()): string {
  const date = new Date(time);
  const clock = date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  return date.toDateString() === now.toDateString() ? clock : `${date.toLocaleDateString(undefined, { year: 'numeric', month: 'short', day: 'numeric' })}, ${clock}`;
}

/** From one time to another: `12 min`. */
export function span(from: string, to: string): string {
  return duration(Date.parse(to) - Date.parse(from));
}

function duration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

export function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = count;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `1:05`. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
