let taken: URLSearchParams | undefined;

/** The query of an address that is kept: where to go next, and who referred the person. */
const STAYS = new Set(['next', 'ref']);

/**
 * What a link brought, in the fragment of the address or in its query, whatever else stands there: providers and mail programs
 * add to both. Where both have a name, the fragment's value comes first. It is removed from the address and the history first,
 * before anything is asked, and read once for as long as the document lives.
 */
export function takeLink(): URLSearchParams {
  if (taken === undefined) {
    const query = [...new URLSearchParams(location.search)];
    // Some programs append to an address with a fragment: our own values have neither mark.
    const fragment = location.hash.slice(1).replaceAll(/[?#]/g, '&');
    taken = new URLSearchParams([...new URLSearchParams(fragment), ...query]);
    const kept = new URLSearchParams(query.filter(([name]) => STAYS.has(name))).toString();
    const address = location.pathname + (kept === '' ? '' : `?${kept}`);
    if (location.hash !== '' || location.search !== '') history.replaceState(history.state, '', address);
  }
  return taken;
}
