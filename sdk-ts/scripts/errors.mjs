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

export function errorClasses(markdown) {
  const rows = [...markdown.matchAll(/^\| (\d+) \| ([A-Z0-9_]+) \| (\d+) \| (.*) \|$/gm)].map(
    ([, number, name, status, title]) => ({ number: Number(number), name, status: Number(status), title }),
  );
  if (rows.length === 0) throw new Error('docs/errors.md has no table of errors');
  const families = [...new Set(rows.map((row) => family(row.number)))].filter((name) => name !== 'WorkspaceError');
  const classes = rows.map((row) => `/** ${row.number}: ${row.title} */\nexport class ${className(row.name)} extends ${family(row.number)} {}`);
  const table = rows.map((row) => `  ${row.number}: ${className(row.name)},`);
  return `
import { WorkspaceError } from '../errors/workspace-error.js';

${families.map((name) => `export class ${name} extends WorkspaceError {}`).join('\n')}

${classes.join('\n\n')}

/** Which class stands for which number. */
export const ERROR_CLASSES: Readonly<Record<number, typeof WorkspaceError>> = {
${table.join('\n')}
};
`;
}
