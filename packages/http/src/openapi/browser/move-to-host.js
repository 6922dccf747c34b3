// A page that was opened at another name of this service goes on at its public address, where its cookies are. Only the browser knows
// which name was typed: proxies may send another one. Where that address leads straight back here, the page stays.
{
  const KEY = 'gatehouse.moved';
  const PAUSE_MS = 10_000;
  const to = document.querySelector('script[data-origin]')?.getAttribute('data-origin');
  const [movedAtMs, moved] = (sessionStorage.getItem(KEY) ?? '0').split(' ');
  const cameBack = moved === location.href && Date.now() - Number(movedAtMs) < PAUSE_MS;
  if (to && new URL(to).hostname !== location.hostname && !cameBack) {
    sessionStorage.setItem(KEY, `${Date.now()} ${location.href}`);
    location.replace(to + location.pathname + location.search + location.hash);
  }
}
