// The pages that the server shows, in the order of its menu. Links to other pages of the project are left as text.
import { readdirSync } from 'node:fs';

const LISTED = [
  {
    title: 'Begin',
    pages: [
      ['docs/quickstart.md', 'Quick start'],
      ['docs/coding-agents.md', 'Claude Code and Codex'],
      ['docs/concepts.md', 'Concepts'],
      ['docs/how-safe.md', 'How safe is it?'],
      ['docs/limits.md', 'Limits and defaults'],
      ['docs/faq.md', 'Questions'],
    ],
  },
  {
    title: 'Use',
    pages: [
      ['docs/api.md', 'HTTP API'],
      ['docs/files.md', 'Files'],
      ['docs/code.md', 'Code'],
      ['docs/ports.md', 'Ports'],
      ['docs/egress.md', 'Network'],
      ['docs/permissions.md', 'Permission requests'],
      ['docs/templates.md', 'Templates'],
      ['docs/warm-starts.md', 'Warm starts'],
      ['docs/nfs.md', 'NFS'],
      ['docs/webhooks.md', 'Webhooks'],
      ['docs/sealed-terminals.md', 'Sealed terminals'],
      ['docs/terminal-protocol.md', 'Terminals on the wire'],
      ['docs/errors.md', 'Errors'],
    ],
  },
  {
    title: 'Clients',
    pages: [
      ['cli/README.md', 'Command line'],
      ['sdk-ts/README.md', 'TypeScript'],
      ['docs/python.md', 'Python'],
      ['console/README.md', 'Console'],
      ['docs/mcp.md', 'MCP'],
      ['docs/coming-from-e2b.md', 'Coming from E2B'],
    ],
  },
  {
    title: 'Operate',
    pages: [
      ['docs/settings.md', 'Settings'],
      ['docs/operations.md', 'Operations'],
      ['docs/reliability.md', 'Reliability'],
      ['docs/trust.md', 'Trust'],
      ['docs/attacks.md', 'Attacks'],
      ['docs/launch-rules.md', 'Launch rules'],
      ['docs/solid.md', 'Solid'],
      ['docs/glossary.md', 'Glossary'],
    ],
  },
];

const listed = LISTED.flatMap(({ pages }) => pages.map(([source]) => source));

/** A page that nobody has put into a group yet is shown as well. */
const others = readdirSync(new URL('..', import.meta.url))
  .filter((name) => name.endsWith('.md') && name !== 'README.md' && !listed.includes(`docs/${name}`))
  .sort()
  .map((name) => [`docs/${name}`, (name[0].toUpperCase() + name.slice(1, -3)).replaceAll('-', ' ')]);

export const GROUPS = others.length === 0 ? LISTED : [...LISTED, { title: 'More', pages: others }];

/** `docs/quickstart.md` is shown as `quickstart.html`, and `cli/README.md` as `cli.html`. */
export function fileOf(source) {
  return `${source.replace(/^docs\//, '').replace(/\/README\.md$/, '').replace(/\.md$/, '')}.html`;
}
