let taken: URLSearchParams | undefined;

/**
 * What a mail's link brought in the fragment of the address. It is removed from the address and the history first, before
 * anything is asked, and read once for as long as the document lives.
 */
export function takeFragment(): URLSearchParams {
  if (taken === undefined) {
    taken = new URLSearchParams(location.hash.slice(1));
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  }
  return taken;
}
