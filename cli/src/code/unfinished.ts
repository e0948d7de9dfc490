import type { CodeLanguage } from '@bivouac/sdk';

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** How the comments of a language begin that go to the end of a line. */
const COMMENT: Record<CodeLanguage, string> = { python: '#', bash: '#', java: '//', javascript: '//', typescript: '//', go: '//' };

/** Quotes over several lines, the longer ones first. */
const LONG_QUOTES: Record<CodeLanguage, readonly string[]> = {
  python: ['"""', "'''"],
  java: ['"""'],
  javascript: ['`'],
  typescript: ['`'],
  go: ['`'],
  bash: ['"', "'"],
};

const BASH_BEGINS = /(^|[;\s])(do|then|else|\{|case\s.*\sin)\s*$/;
const BASH_OPEN = /(^|[;&|]\s*|\n\s*)(if|for|while|until|case)\s/g;
const BASH_CLOSED = /(^|[;&|]\s*|\n\s*)(fi|done|esac)\b/g;

/**
 * Whether more lines belong to what was typed so far: an open bracket or long quote, a line that says so with a
 * backslash, or an indented block, which an empty line ends.
 */
export function isUnfinished(text: string, language: CodeLanguage): boolean {
  const lines = text.split('\n');
  const last = lines.at(-1) ?? '';
  if (openEnd(text, language) || last.endsWith('\\')) return true;
  if (language === 'bash') return BASH_BEGINS.test(last) || count(text, BASH_OPEN) > count(text, BASH_CLOSED);
  if (language !== 'python') return false;
  const block = lines.some((line) => /:\s*(#.*)?$/.test(line)) || (lines[0] ?? '').startsWith("@");
  return block && last.trim() !== '';
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}

/** Whether a bracket or a quote that may go over lines is open at the end. */
function openEnd(text: string, language: CodeLanguage): boolean {
  const open: string[] = [];
  for (let at = 0; at < text.length; ) {
    const long = LONG_QUOTES[language].find((quote) => text.startsWith(quote, at));
    if (long !== undefined) {
      const end = closing(text, at + long.length, long);
      if (end === undefined) return true;
      at = end;
      continue;
    }
    const letter = text.charAt(at);
    if (letter === '"' || letter === "'") {
      // One that is not closed on its line is the interpreter's to refuse.
      const lineEnd = text.indexOf('\n', at);
      const line = lineEnd < 0 ? text : text.slice(0, lineEnd);
      at = closing(line, at + 1, letter) ?? line.length;
      continue;
    }
    if (text.startsWith(COMMENT[language], at) && (language !== 'bash' || at === 0 || /\s/.test(text.charAt(at - 1)))) {
      const end = text.indexOf('\n', at);
      if (end < 0) break;
      at = end;
      continue;
    }
    if (language !== 'bash') {
      const close = CLOSING[letter];
      if (close !== undefined) open.push(close);
      else if (letter === open.at(-1)) open.pop();
    }
    at++;
  }
  return open.length > 0;
}

/** Behind the closing quote. */
function closing(text: string, from: number, quote: string): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text.startsWith(quote, at)) return at + quote.length;
  }
  return undefined;
}
