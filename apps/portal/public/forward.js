// The pages that mails link to work without scripts. With them, they lead on to the screens of the portal. What a link brought goes
// into the fragment, which servers and logs never see. Providers and mail programs add a query or a fragment of their own, such as
// `#_=_`, so both are kept: first the part in which our own links have their token.
const PLACES = new Map([
  ['/billing', 'billing'],
  ['/confirm', 'confirm'],
  ['/email-approval', 'email-approval'],
  ['/forgot', 'forgot'],
  ['/invitation', 'join'],
  ['/recovery', 'recovery'],
  ['/register', 'register'],
  ['/reset', 'reset'],
  ['/restore', 'restore'],
  ['/signin', 'code'],
  ['/socialauth', 'social'],
]);
/** Their queries contain no secret. */
const IN_QUERY = ['register', 'forgot'];
/** Its link has the token in the fragment. */
const IN_FRAGMENT = 'code';

const place = PLACES.get(location.pathname.toLowerCase().replace(/\/$/, ''));
if (place !== undefined) {
  const query = location.search.slice(1);
  const fragment = location.hash.slice(1);
  const brought = (place === IN_FRAGMENT ? [fragment, query] : [query, fragment]).filter(
    (part) => part !== '',
  );
  const mark = IN_QUERY.includes(place) ? '?' : '#';
  location.replace(`/portal/${place}${brought.length === 0 ? '' : mark + brought.join('&')}`);
}
