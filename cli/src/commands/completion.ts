import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { COMMON, flag, UsageError, type Command, type Context } from '../command.js';
import { commands } from './all.js';

export const completion: Command = {
  name: 'completion',
  usage: 'bash | zsh | fish [--install]',
  summary: 'Print what makes a shell complete commands and ids',
  options: { install: { type: 'boolean', words: 'put it where the shell finds it by itself' } },
  examples: ['bivouac completion bash --install', 'source <(bivouac completion bash)', 'bivouac completion fish > ~/.config/fish/completions/bivouac.fish'],
  run(context) {
    const shell = context.words[0];
    const script = scriptFor(shell);
    if (flag(context, 'install')) install(shell, script, context);
    else context.output.line(script);
    return Promise.resolve(0);
  },
};

type Shell = 'bash' | 'zsh' | 'fish';

function scriptFor(shell: string | undefined): string {
  switch (shell) {
    case 'bash':
      return bash();
    case 'zsh':
      return `autoload -U +X bashcompinit && bashcompinit\n${bash()}`;
    case 'fish':
      return fish();
    default:
      throw new UsageError('Say for which shell: bash, zsh or fish.');
  }
}

/** bash and fish look into a folder of the user's; zsh is told in its start file. */
function install(shell: string | undefined, script: string, { output }: Context): void {
  const data = process.env.XDG_DATA_HOME ?? join(homedir(), '.local/share');
  const config = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config');
  const places: Record<Shell, string> = {
    bash: join(data, 'bash-completion/completions/bivouac'),
    zsh: join(data, 'bivouac/completion.zsh'),
    fish: join(config, 'fish/completions/bivouac.fish'),
  };
  const file = places[shell as Shell];
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${script}\n`);
  output.line(file);
  if (shell === 'zsh') {
    const start = join(process.env.ZDOTDIR ?? homedir(), '.zshrc');
    const line = `source '${file}'`;
    if (!existsSync(start) || !readFileSync(start, 'utf8').includes(line)) appendFileSync(start, `${line}\n`);
  }
  output.done('A new shell knows it.');
}

function flags(command: Command): string {
  return Object.keys({ ...command.options, ...COMMON }).map((name) => `--${name}`).join(' ');
}

const LISTS = {
  sandbox: `bivouac sandbox list --json 2>/dev/null | grep -oE '"(id|name)":"[^"]*"' | cut -d'"' -f4`,
  context: `bivouac context list --json 2>/dev/null | grep -o '"name":"[^"]*"' | cut -d'"' -f4`,
  webhook: `bivouac webhook list --json 2>/dev/null | grep -o 'whe_[0-9a-z]*'`,
  recording: `bivouac terminal recordings --json 2>/dev/null | grep -o '"terminalId":"[^"]*"' | cut -d'"' -f4`,
  template: `bivouac template list --json 2>/dev/null | grep -o '"name":"[^"]*"' | cut -d'"' -f4`,
} as const;

function bash(): string {
  const named = commands.flatMap((command) => [command, ...(command.aliases ?? []).map((name) => ({ ...command, name }))]);
  const first = [...new Set(named.map((command) => command.name.split(' ')[0]))].join(' ');
  const groups = new Map<string, string[]>();
  for (const command of named) {
    const [group = '', verb] = command.name.split(' ');
    if (verb !== undefined) groups.set(group, [...(groups.get(group) ?? []), verb]);
  }
  const cases = named.map((command) => {
    const ids = command.completes === undefined ? '' : `$(${LISTS[command.completes]})`;
    return `    "${command.name}") words="${flags(command)} ${ids}" ;;`;
  });
  return `_bivouac() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" = 1 ]; then words="${first}"
  else case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${[...groups].map(([group, verbs]) => `    "${group} $current") words="${verbs.join(' ')}" ;;`).join('\n')}
  esac; fi
  [ -n "$words" ] || case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${cases.filter((line) => line.includes(' ', 6)).join('\n')}
  esac
  [ -n "$words" ] || case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _bivouac bivouac`;
}

function fish(): string {
  return commands
    .map((command) => {
      const [group = '', verb] = command.name.split(' ');
      const words = command.summary.replaceAll("'", "\\'");
      return verb === undefined
        ? `complete -c bivouac -n __fish_use_subcommand -f -a ${group} -d '${words}'`
        : `complete -c bivouac -n '__fish_seen_subcommand_from ${group}' -f -a ${verb} -d '${words}'`;
    })
    .join('\n');
}
