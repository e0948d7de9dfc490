// Finds words in the sections of the guides.

const MOST = 20;
const EXCERPT = 140;

/** What a section is worth for one word: a title counts most, and the beginning of a word more than its middle. */
function worth({ page, heading, text }, word) {
  const within = (whole, points) => {
    const at = whole.toLowerCase().indexOf(word);
    if (at < 0) return 0;
    return at === 0 || !/[\p{L}\p{N}]/u.test(whole[at - 1]) ? points : points / 2;
  };
  return within(page, 8) + within(heading, 12) + within(text, 3);
}

/** The sections that have every word, the best first. */
export function find(index, asked) {
  const words = asked.toLowerCase().split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return [];
  return index
    .map((section) => ({ section, points: words.map((word) => worth(section, word)) }))
    .filter(({ points }) => points.every((each) => each > 0))
    .map(({ section, points }) => ({ section, points: points.reduce((sum, each) => sum + each, 0) }))
    .sort((a, b) => b.points - a.points)
    .slice(0, MOST)
    .map(({ section }) => ({ ...section, excerpt: excerpt(section.text, words) }));
}

/** The text around the first word that it has. */
function excerpt(text, words) {
  const places = words.map((word) => text.toLowerCase().indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - EXCERPT / 3);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const cut = text.slice(start, start + EXCERPT);
  return `${start > 0 ? '… ' : ''}${cut}${start + EXCERPT < text.length ? ' …' : ''}`;
}
