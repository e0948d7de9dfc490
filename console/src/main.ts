import './ui/style.css';
import { button, h, link } from './dom.js';
import { Live } from './live.js';
import { mayChange, type Page } from './page.js';
import { Pulse } from './pulse.js';
import { attempt, clearFailures, toast } from './parts/feedback.js';
import { iconElement, type IconName } from './ui/icons.js';
import { keepTheme } from './ui/theme.js';
import { palette } from './ui/palette.js';
import { auditPage } from './pages/audit.js';
import { keysPage } from './pages/keys.js';
import { permissionPrompts } from './parts/permission-prompts.js';
import { UsageHistory } from './parts/usage-history.js';
import { waitingCount } from './parts/waiting-count.js';
import { loginPage } from './pages/login.js';
import { overviewPage } from './pages/overview.js';
import { recordingsPage } from './pages/recordings.js';
import { sandboxPage } from './pages/sandbox.js';
import { sandboxesPage } from './pages/sandboxes.js';
import { systemPage } from './pages/system.js';
import { templatesPage } from './pages/templates.js';
import { webhookPage } from './pages/webhook.js';
import { webhooksPage } from './pages/webhooks.js';
import { unknownPage } from './pages/unknown.js';
import { readKeyNames } from './parts/names.js';
import { keepTime } from './parts/when.js';
import { isLoggedOut, logOut, present, type Session } from './session.js';

/** A terminal's screen is the largest part, and fetched when it is first needed. */
const terminal = (): Promise<Page> => import('./pages/terminal.js').then((loaded) => loaded.terminalPage);
const files = (): Promise<Page> => import('./pages/files.js').then((loaded) => loaded.filesPage);
const notebook = (): Promise<Page> => import('./pages/notebook.js').then((loaded) => loaded.notebookPage);
const recording = (): Promise<Page> => import('./pages/recording.js').then((loaded) => loaded.recordingPage);

const routes: Array<[RegExp, Page | (() => Promise<Page>), 'lazy'?]> = [
  [/^\/$/, overviewPage],
  [/^\/sandboxes$/, sandboxesPage],
  [/^\/sandboxes\/([^/]+)$/, sandboxPage],
  [/^\/sandboxes\/([^/]+)\/files(\/.*)?$/, files, 'lazy'],
  [/^\/sandboxes\/([^/]+)\/code$/, notebook, 'lazy'],
  [/^\/sandboxes\/([^/]+)\/terminal(?:\/([^/]+))?(?:\/(watch))?$/, terminal, 'lazy'],
  [/^\/recordings$/, recordingsPage],
  [/^\/recordings\/([^/]+)$/, recording, 'lazy'],
  [/^\/templates$/, templatesPage],
  [/^\/keys$/, keysPage],
  [/^\/webhooks$/, webhooksPage],
  [/^\/webhooks\/([^/]+)$/, webhookPage],
  [/^\/audit$/, auditPage],
  [/^\/system$/, systemPage],
];

/** A page below another marks that one in the menu. */
function isPartOf(path: string, entry: string): boolean {
  return path === entry || path.startsWith(`${entry}/`);
}

/** A button or link of the menu: its picture, its word, and more. */
function signed<Made extends HTMLElement>(made: Made, name: IconName, words: string, ...more: Node[]): Made {
  made.append(iconElement(name), h('span', { class: 'words' }, words), ...more);
  made.title = words;
  return made;
}

function entry(words: string, to: string, name: IconName, ...more: Node[]): HTMLAnchorElement {
  return signed(link('', to), name, words, ...more);
}

const place = document.querySelector<HTMLElement>('#page') ?? document.body;

function start(session: Session): void {
  const live = new Live(mayChange(session));
  const usage = new UsageHistory(live);
  const line = h('span', { class: 'line connecting', role: 'status' }, 'connecting');
  const pulse = new Pulse();
  const showLine = (): void => {
    const state = pulse.isSilent ? 'no answer' : live.line;
    if (line.textContent === state) return;
    line.textContent = state;
    if (state === 'live') clearFailures();
    line.className = `line ${pulse.isSilent ? 'closed' : live.line}`;
  };
  live.listen(showLine);
  pulse.begin(showLine);
  void live.follow((failure) => {
    if (isLoggedOut(failure)) location.reload();
    else toast(`The event stream ended: ${String(failure)}`, 'bad');
  });
  if (mayChange(session)) permissionPrompts(live);
  const admin = session.role === 'admin';
  const jump = palette(live, session);
  const badge = h('span', { class: 'badge' });
  if (mayChange(session)) waitingCount(live, badge);
  const menu = h(
    'nav',
    { class: 'menu', aria: { label: 'Pages' } },
    h('div', { class: 'brand' }, h('img', { src: '/favicon.svg', alt: '' }), h('span', {}, 'Bivouac')),
    signed(button('', () => jump.open(), 'jump'), 'search', 'Search', h('kbd', {}, navigator.userAgent.includes('Mac') ? '⌘K' : 'Ctrl K')),
    h(
      'div',
      { class: 'links' },
      entry('Overview', '/', 'overview', badge),
      entry('Sandboxes', '/sandboxes', 'sandboxes'),
      entry('Recordings', '/recordings', 'recordings'),
      entry('Templates', '/templates', 'templates'),
      entry('Webhooks', '/webhooks', 'webhooks'),
      admin && entry('Keys', '/keys', 'keys'),
      admin && entry('Audit', '/audit', 'audit'),
      session.system && entry('System', '/system', 'system'),
    ),
    line,
    h('hr'),
    signed(h('a', { href: '/docs', target: '_blank', rel: 'noopener' }), 'book', 'Guides'),
    signed(button('', () => attempt(logOut).then(() => location.reload())), 'leave', 'Log out'),
  );
  keepTime();
  void readKeyNames(session);
  const content = h('div', { class: 'content' });
  place.replaceChildren(menu, content);
  let leave: Array<() => void> = [];
  const go = async (): Promise<void> => {
    leave.forEach((act) => act());
    const mine: Array<() => void> = (leave = []);
    const path = location.hash.slice(1) || '/';
    const [pattern, page, lazy] = routes.find(([pattern]) => pattern.test(path)) ?? [/^/, unknownPage];
    const parameters = ((pattern.exec(path) ?? []) as Array<string | undefined>).slice(1).map((part) => decodeURIComponent(part ?? ''));
    const make = lazy === 'lazy' ? await (page as () => Promise<Page>)() : (page as Page);
    if (leave !== mine) return;
    content.replaceChildren(make({ session, live, usage, parameters, onLeave: (act) => mine.push(act) }));
    content.scrollTop = 0;
    for (const entry of menu.querySelectorAll<HTMLAnchorElement>('.links a')) entry.toggleAttribute('aria-current', isPartOf(path, entry.hash.slice(1)));
    if (!path.startsWith('/sandboxes/')) document.title = `${content.querySelector('h1')?.textContent ?? 'Bivouac'} · Bivouac`;
  };
  addEventListener('hashchange', () => void go());
  void go();
}

keepTheme();
const session = await present().catch(() => undefined);
if (session === undefined) place.replaceChildren(loginPage(start));
else start(session);
