import './style.css';
import { button, h, link } from './dom.js';
import { Live } from './live.js';
import { mayChange, type Page } from './page.js';
import { attempt, toast } from './parts/feedback.js';
import { permissionPrompts } from './parts/permission-prompts.js';
import { loginPage } from './pages/login.js';
import { sandboxPage } from './pages/sandbox.js';
import { sandboxesPage } from './pages/sandboxes.js';
import { auditPage, deliveriesPage, keysPage, systemPage, templatesPage, webhooksPage } from './pages/tables.js';
import { isLoggedOut, logOut, present, type Session } from './session.js';

/** The terminal's screen is the largest part, and fetched when it is first needed. */
const terminal = (): Promise<Page> => import('./pages/terminal.js').then((loaded) => loaded.terminalPage);

const routes: Array<[RegExp, Page | (() => Promise<Page>), 'lazy'?]> = [
  [/^\/$/, sandboxesPage],
  [/^\/sandboxes\/([^/]+)$/, sandboxPage],
  [/^\/sandboxes\/([^/]+)\/terminal$/, terminal, 'lazy'],
  [/^\/templates$/, templatesPage],
  [/^\/keys$/, keysPage],
  [/^\/webhooks$/, webhooksPage],
  [/^\/webhooks\/([^/]+)$/, deliveriesPage],
  [/^\/audit$/, auditPage],
  [/^\/system$/, systemPage],
];

const place = document.querySelector<HTMLElement>('#page') ?? document.body;

function start(session: Session): void {
  const live = new Live();
  const line = h('span', { class: 'line connecting', role: 'status' }, 'connecting');
  live.listen(() => {
    line.textContent = live.line;
    line.className = `line ${live.line}`;
  });
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
    link('Sandboxes', '/'),
    link('Templates', '/templates'),
    link('Webhooks', '/webhooks'),
    admin && link('Keys', '/keys'),
    admin && link('Audit', '/audit'),
    session.system && link('System', '/system'),
    h('span', { class: 'grow' }),
    line,
    button('Log out', () => attempt(logOut).then(() => location.reload())),
  );
  const content = h('div', { class: 'content' });
  place.replaceChildren(menu, content);
  let leave: Array<() => void> = [];
  const go = async (): Promise<void> => {
    leave.forEach((act) => act());
    const mine: Array<() => void> = (leave = []);
    const path = location.hash.slice(1) || '/';
    const [pattern, page, lazy] = routes.find(([pattern]) => pattern.test(path)) ?? [/^/, sandboxesPage];
    const parameters = (pattern.exec(path) ?? []).slice(1).map(decodeURIComponent);
    const make = lazy === 'lazy' ? await (page as () => Promise<Page>)() : (page as Page);
    if (leave !== mine) return;
    content.replaceChildren(make({ session, live, parameters, onLeave: (act) => mine.push(act) }));
    for (const entry of menu.querySelectorAll('a')) entry.toggleAttribute('aria-current', entry.hash === `#${path}`);
    document.title = `${content.querySelector('h1')?.textContent ?? 'Terminal'} · Bivouac`;
  };
  addEventListener('hashchange', () => void go());
  void go();
}

const session = await present().catch(() => undefined);
if (session === undefined) place.replaceChildren(loginPage(start));
else start(session);
