// The pages that mails link to work without scripts. With them, they lead on to the screens of the portal. What a link brought goes
// into the fragment, which servers and logs never see.
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
/** What it has in its query is no secret. */
const IN_QUERY = 'register';

const place = PLACES.get(location.pathname.toLowerCase().replace(/\/$/, ''));
if (place !== undefined) {
  const brought = location.hash.slice(1) || location.search.slice(1);
  const mark = place === IN_QUERY ? '?' : '#';
  location.replace(`/portal/${place}${brought === '' ? '' : mark + brought}`);
}
