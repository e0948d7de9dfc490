import { COMMON, type Command, type Option } from './command.js';
import type { Section } from './commands/all.js';
import type { Output } from './output.js';

export function overview(sections: readonly Section[], output: Output): void {
  output.line('Isolated Linux sandboxes for agents, from the shell.\n');
  output.line(output.colour('Usage', 'bold') + '  bivouac COMMAND [options]');
  const width = Math.max(...sections.flatMap(({ commands }) => commands.map((command) => called(command).length)));
  for (const { title, commands } of sections) {
    output.line(`\n${output.colour(title, 'bold')}`);
    for (const command of commands) output.line(`  ${called(command).padEnd(width)}  ${command.summary}`);
  }
  output.line('\nA SANDBOX is its id, its name or the beginning of its id.');
  output.line('bivouac COMMAND --help has options and examples. Start with: bivouac login');
}

/** The shortest way to say it. */
function called(command: Command): string {
  return [command.name, ...(command.aliases ?? [])].find((name) => !name.includes(' ')) ?? command.name;
}

/** Every command that begins with one word, as `sandbox`. */
export function groupHelp(group: string, commands: readonly Command[], write: (line: string) => void): void {
  const rows = commands.map((command) => [`bivouac ${command.name}`, command.summary + alsoCalled(command)]);
  const width = Math.max(...rows.map(([left = '']) => left.length));
  write(`Commands of bivouac ${group}\n`);
  for (const [left = '', right = ''] of rows) write(`  ${left.padEnd(width)}  ${right}`);
  write(`\nbivouac ${group} COMMAND --help has options and examples.`);
}

function alsoCalled({ aliases = [] }: Command): string {
  return aliases.length === 0 ? '' : ` (also: bivouac ${aliases.join(', bivouac ')})`;
}

export function help(command: Command, output: Output): void {
  output.line(`${command.summary}\n`);
  output.line(`${output.colour('Usage', 'bold')}  bivouac ${command.name} ${command.usage}`.trimEnd());
  if (command.aliases !== undefined) output.line(`       also: ${command.aliases.map((name) => `bivouac ${name}`).join(', ')}`);
  output.line(`\n${output.colour('Options', 'bold')}`);
  const rows = Object.entries({ ...command.options, ...COMMON, ...command.options }).map(([name, option]) => [spelled(name, option), option.words]);
  const width = Math.max(...rows.map(([left]) => left?.length ?? 0));
  for (const [left = '', right = ''] of rows) output.line(`  ${left.padEnd(width)}  ${right}`);
  output.line(`\n${output.colour('Examples', 'bold')}`);
  for (const example of command.examples) output.line(`  ${example}`);
}

function spelled(name: string, option: Option): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${short}--${name}${option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : ''}`;
}
