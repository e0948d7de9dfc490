const SIXTEEN = ['#1c2024', '#ff8a80', '#58b48a', '#f0b429', '#7aa9ff', '#c792ea', '#5fc7d6', '#d5dbd8', '#7d8892', '#ffab9f', '#8fd8b4', '#ffd166', '#a8c7ff', '#dcb8ff', '#9be4ef', '#ffffff'];

/** Cuts a line with colour sequences, as tmux captures it, into runs of one style: {column, text, colour, bold, dim}. */
export function runs(line) {
  const found = [];
  let style = {};
  let column = 0;
  // eslint-disable-next-line no-control-regex
  for (const part of line.split(/(\x1b\[[0-9;]*m)/)) {
    if (part.startsWith('\x1b[')) style = after(style, part.slice(2, -1).split(';').map(Number));
    else if (part !== '') {
      const text = part.trimEnd();
      if (text !== '') found.push({ column: column + part.length - part.trimStart().length, text: text.trimStart(), ...style });
      column += part.length;
    }
  }
  return found;
}

function after(style, codes) {
  let next = { ...style };
  for (const code of codes) {
    if (code === 0) next = {};
    else if (code === 1) next.bold = true;
    else if (code === 2) next.dim = true;
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 39) delete next.colour;
    else if (code >= 30 && code <= 37) next.colour = SIXTEEN[code - 30];
    else if (code >= 90 && code <= 97) next.colour = SIXTEEN[code - 82];
  }
  return next;
}
