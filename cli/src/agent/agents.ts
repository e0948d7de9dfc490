import { UsageError } from '../command.js';

/** A coding agent: how it is found, what it needs, and what it may reach. */
export interface Agent {
  /** The program's name in the sandbox. */
  program: string;
  /** The npm package that has it, where the template has not; absent when it cannot be had like that. */
  npm?: string;
  /** Variables of this shell that it gets, when they are set. */
  envs: readonly string[];
  /** Hosts and presets that it may reach. */
  hosts: readonly string[];
  /** The variables among its own that name another server of its model's. */
  servers: readonly string[];
  /** Files of its user's home that keep it from asking what a person answers once. */
  files?: (envs: Record<string, string>) => Record<string, string>;
}

/** As much of a key's end as Claude Code remembers of one that was approved. */
const KEY_END = 20;

const AGENTS: Record<string, Agent> = {
  claude: {
    program: 'claude',
    npm: '@anthropic-ai/claude-code',
    envs: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL', 'CLAUDE_CODE_OAUTH_TOKEN'],
    hosts: ['api.anthropic.com'],
    servers: ['ANTHROPIC_BASE_URL'],
    files: ({ ANTHROPIC_API_KEY: key }) => ({
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        projects: { '/workspace': { hasTrustDialogAccepted: true } },
        ...(key === undefined ? {} : { customApiKeyResponses: { approved: [key.slice(-KEY_END)], rejected: [] } }),
      }),
    }),
  },
  codex: {
    program: 'codex',
    npm: '@openai/codex',
    envs: ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CODEX_API_KEY'],
    hosts: ['api.openai.com'],
    servers: ['OPENAI_BASE_URL'],
  },
  aider: {
    program: 'aider',
    envs: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENAI_API_BASE', 'AIDER_MODEL'],
    hosts: ['api.anthropic.com', 'api.openai.com'],
    servers: ['OPENAI_API_BASE'],
  },
};

export const AGENT_NAMES = Object.keys(AGENTS);

export function agentOf(name: string): Agent {
  const agent = AGENTS[name];
  if (agent === undefined) throw new UsageError(`There is no agent '${name}'; there are ${AGENT_NAMES.join(', ')}. Another program: --agent-command.`);
  return agent;
}

/** The variables that it gets of ours. */
export function envsOf(agent: Agent, ours: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(agent.envs.flatMap((name) => (ours[name] === undefined || ours[name] === '' ? [] : [[name, ours[name]]])));
}

/** What it may reach: the host that its variables name, or its own; and where its package comes from. */
export function hostsOf(agent: Agent, envs: Record<string, string>): string[] {
  const named = agent.servers.flatMap((name) => {
    const url = envs[name];
    if (url === undefined || !URL.canParse(url)) return [];
    const { hostname, port, protocol } = new URL(url);
    return [`${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`];
  });
  return [...(named.length > 0 ? named : agent.hosts), ...(agent.npm === undefined ? [] : ['@npm'])];
}
