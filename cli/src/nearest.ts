/** What somebody most likely meant; undefined when nothing is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length / 3)) + 0.5;
  for (const candidate of candidates) {
    if (candidate === word) continue;
    // A beginning counts as half of a slip.
    const begins = word.length >= 3 && candidate.startsWith(word);
    const far = begins ? 0.5 : distance(word, candidate);
    if (far < least) {
      best = candidate;
      least = far;
    }
  }
  return best;
}

/** Characters to add, drop, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (__, j) => (i === 0 || j === 0 ? i + j : 0)));
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, at(i - 2, j - 2) + 1);
      (rows[i] ?? [])[j] = cost;
    }
  }
  return at(a.length, b.length);
}
