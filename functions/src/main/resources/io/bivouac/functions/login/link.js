// Exchanges the code of a login link for the console's cookie. The code leaves the address bar and the history first.
const code = location.hash.slice(1);
history.replaceState(null, '', '/login');
const said = document.getElementById('said');

async function logIn() {
  if (!code) return 'This is no login link. Log in with the API key.';
  const answer = await fetch('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  if (answer.ok) return '';
  const problem = await answer.json().catch(() => ({}));
  return problem.detail || `The server answered ${answer.status}.`;
}

logIn().then(
  (wrong) => {
    if (wrong) said.textContent = wrong;
    else location.replace('/');
  },
  () => {
    said.textContent = 'The server does not answer.';
  },
);
