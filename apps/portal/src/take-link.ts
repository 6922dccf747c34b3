let taken: URLSearchParams | undefined;

/** The query of an address that is kept: where to go next, and who referred the person. */
const STAYS = new Set(['next', 'ref']);

/**
 * The values that a link brought, from the fragment of the address or from its query, whatever else is there: providers and mail
 * programs add to both. If both have a name, the fragment's value wins. They are removed from the address and the history before
 * any request, and read once for as long as the document lives.
 */
export function takeLink(): URLSearchParams {
  if (taken === undefined) {
    const query = [...new URLSearchParams(location.search)];
    // Some programs append a query or a second fragment to the fragment; our own values contain neither `?` nor `#`.
    const fragment = location.hash.slice(1).replaceAll(/[?#]/g, '&');
    taken = new URLSearchParams([...new URLSearchParams(fragment), ...query]);
    const kept = new URLSearchParams(query.filter(([name]) => STAYS.has(name))).toString();
    const address = location.pathname + (kept === '' ? '' : `?${kept}`);
    if (location.hash !== '' || location.search !== '') history.replaceState(history.state, '', address);
  }
  return taken;
}
