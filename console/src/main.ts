import './style.css';
import { button, h, link } from './dom.js';
import { Live } from './live.js';
import { mayChange, type Page } from './page.js';
import { Pulse } from './pulse.js';
import { attempt, clearFailures, toast } from './parts/feedback.js';
import { auditPage } from './pages/audit.js';
import { keysPage } from './pages/keys.js';
import { permissionPrompts } from './parts/permission-prompts.js';
import { loginPage } from './pages/login.js';
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
const recording = (): Promise<Page> => import('./pages/recording.js').then((loaded) => loaded.recordingPage);

const routes: Array<[RegExp, Page | (() => Promise<Page>), 'lazy'?]> = [
  [/^\/$/, sandboxesPage],
  [/^\/sandboxes\/([^/]+)$/, sandboxPage],
  [/^\/sandboxes\/([^/]+)\/files(\/.*)?$/, files, 'lazy'],
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

/** A page below another marks that one in the menu; sandboxes are at the top. */
function isPartOf(path: string, entry: string): boolean {
  return entry === '/' ? path === '/' || path.startsWith('/sandboxes/') : path === entry || path.startsWith(`${entry}/`);
}

const place = document.querySelector<HTMLElement>('#page') ?? document.body;

function start(session: Session): void {
  const live = new Live();
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
  const menu = h(
    'nav',
    { aria: { label: 'Pages' } },
    h('strong', {}, 'Bivouac'),
    h(
      'div',
      { class: 'links' },
      link('Sandboxes', '/'),
      link('Recordings', '/recordings'),
      link('Templates', '/templates'),
      link('Webhooks', '/webhooks'),
      admin && link('Keys', '/keys'),
      admin && link('Audit', '/audit'),
      session.system && link('System', '/system'),
    ),
    h('a', { href: '/docs', target: '_blank', rel: 'noopener' }, 'API'),
    line,
    button('Log out', () => attempt(logOut).then(() => location.reload())),
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
    content.replaceChildren(make({ session, live, parameters, onLeave: (act) => mine.push(act) }));
    content.scrollTop = 0;
    for (const entry of menu.querySelectorAll<HTMLAnchorElement>('.links a')) entry.toggleAttribute('aria-current', isPartOf(path, entry.hash.slice(1)));
    if (!path.startsWith('/sandboxes/')) document.title = `${content.querySelector('h1')?.textContent ?? 'Bivouac'} · Bivouac`;
  };
  addEventListener('hashchange', () => void go());
  void go();
}

const session = await present().catch(() => undefined);
if (session === undefined) place.replaceChildren(loginPage(start));
else start(session);
