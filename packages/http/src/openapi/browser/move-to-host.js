// A page that was opened at another host name of this service continues at its public address, where its cookies are. Only the
// browser knows which name was typed: proxies may send another one. If that address leads straight back here, the page stays, as
// it does on another machine when the address names that machine itself.
{
  const KEY = 'gatehouse.moved';
  const PAUSE_MS = 10_000;
  const to = document.querySelector('script[data-origin]')?.getAttribute('data-origin');
  const [movedAtMs, moved] = (sessionStorage.getItem(KEY) ?? '0').split(' ');
  /** @param {string} host */
  const isLoopback = (host) =>
    /(?:^|\.)localhost\.?$|^127\.|^0\.0\.0\.0$|^\[::(?:1|ffff:7f.*)?\]$/.test(host);
  const cameBack = moved === location.href && Date.now() - Number(movedAtMs) < PAUSE_MS;
  const host = to ? new URL(to).hostname : location.hostname;
  const isReached = !isLoopback(host) || isLoopback(location.hostname);
  if (host !== location.hostname && isReached && !cameBack) {
    sessionStorage.setItem(KEY, `${Date.now()} ${location.href}`);
    location.replace(to + location.pathname + location.search + location.hash);
  }
}
