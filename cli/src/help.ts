import { COMMON, type Command, type Option } from './command.js';
import type { Output } from './output.js';

export function overview(commands: readonly Command[], output: Output): void {
  output.line('Isolated Linux sandboxes, from the shell.\n');
  output.line(output.colour('Usage', 'bold') + '  bivouac COMMAND [options]\n');
  const width = Math.max(...commands.map((command) => command.name.length));
  for (const command of commands) output.line(`  ${command.name.padEnd(width)}  ${command.summary}`);
  output.line('\nbivouac COMMAND --help has options and examples. Start with: bivouac login');
}

export function help(command: Command, output: Output): void {
  output.line(`${command.summary}\n`);
  output.line(`${output.colour('Usage', 'bold')}  bivouac ${command.name} ${command.usage}`.trimEnd());
  output.line(`\n${output.colour('Options', 'bold')}`);
  const rows = Object.entries({ ...command.options, ...COMMON }).map(([name, option]) => [spelled(name, option), option.words]);
  const width = Math.max(...rows.map(([left]) => left?.length ?? 0));
  for (const [left = '', right = ''] of rows) output.line(`  ${left.padEnd(width)}  ${right}`);
  output.line(`\n${output.colour('Examples', 'bold')}`);
  for (const example of command.examples) output.line(`  ${example}`);
}

function spelled(name: string, option: Option): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${short}--${name}${option.type === 'string' ? ` ${option.value ?? 'TEXT'}` : ''}`;
}
