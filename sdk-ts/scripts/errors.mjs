// Turns the table in docs/errors.md into a class for each row. A test of the server keeps that table true.

/** The classes between the root and a row, by the hundreds of its number. */
const FAMILIES = {
  20: 'SandboxError',
  40: 'ProcessError',
  41: 'PTYError',
  42: 'SessionError',
  50: 'WebhookError',
  90: 'SystemError',
};

function family(number) {
  if (number === 1001 || number === 1002) return 'AuthError';
  if (number < 1100) return 'RequestError';
  return FAMILIES[Math.floor(number / 100)] ?? 'WorkspaceError';
}

function className(name) {
  const words = name.replace(/_ERROR$/, '').split('_');
  const made = words.map((word) => (word === 'PTY' ? word : word[0] + word.slice(1).toLowerCase())).join('');
  // A row must not take the name of a family.
  return Object.values(FAMILIES).includes(`${made}Error`) ? `${made}FailedError` : `${made}Error`;
}

function table(markdown) {
  const rows = [...markdown.matchAll(/^\| (\d+) \| ([A-Z0-9_]+) \| (\d+) \| (.*) \|$/gm)].map(
    ([, number, name, status, title]) => ({ number: Number(number), name, status: Number(status), title }),
  );
  if (rows.length === 0) throw new Error('docs/errors.md has no table of errors');
  const families = [...new Set(rows.map((row) => family(row.number)))].filter((name) => name !== 'WorkspaceError');
  return { rows, families };
}

export function errorClasses(markdown) {
  const { rows, families } = table(markdown);
  const classes = rows.map((row) => `/** ${row.number}: ${row.title} */\nexport class ${className(row.name)} extends ${family(row.number)} {}`);
  const numbers = rows.map((row) => `  ${row.number}: ${className(row.name)},`);
  return `
import { WorkspaceError } from '../errors/workspace-error.js';

${families.map((name) => `export class ${name} extends WorkspaceError {}`).join('\n')}

${classes.join('\n\n')}

/** Which class stands for which number. */
export const ERROR_CLASSES: Readonly<Record<number, typeof WorkspaceError>> = {
${numbers.join('\n')}
};
`;
}

/** The same classes for Python. */
export function pythonErrorClasses(markdown) {
  const { rows, families } = table(markdown);
  const bases = families.map((name) => `class ${name}(WorkspaceError):\n    pass`);
  const classes = rows.map((row) => `class ${className(row.name)}(${family(row.number)}):\n    """${row.number}: ${row.title}"""`);
  const numbers = rows.map((row) => `    ${row.number}: ${className(row.name)},`);
  const names = [...families, ...rows.map((row) => className(row.name))].map((name) => `    "${name}",`);
  return `"""A class for each row of the server's error table."""

from __future__ import annotations

from collections.abc import Mapping

from .._problem import WorkspaceError


${[...bases, ...classes].join('\n\n\n')}


#: Which class stands for which number.
ERROR_CLASSES: Mapping[int, type[WorkspaceError]] = {
${numbers.join('\n')}
}

__all__ = [
${names.join('\n')}
]
`;
}
