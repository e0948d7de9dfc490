/** `in 12 min`, `3 h ago`. */
export function relative(time: string, now = Date.now()): string {
  const difference = (Date.parse(time) - now) / 1000;
  const size = Math.abs(difference);
  const words = size < 90 ? `${Math.round(size)} s` : size < 5400 ? `${Math.round(size / 60)} min` : `${Math.round(size / 3600)} h`;
  return difference < 0 ? `${words} ago` : `in ${words}`;
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
