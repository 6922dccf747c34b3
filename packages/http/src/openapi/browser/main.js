import { offerCredentials } from './credentials.js';
import { element } from './element.js';
import { offerCopies } from './offer-copies.js';
import { offerSearch } from './offer-search.js';
import { offerTries } from './offer-tries.js';
import { openTarget } from './open-target.js';

document.documentElement.classList.add('js');
document.body.append(element('p', { id: 'announcement', role: 'status', class: 'away' }));
offerSearch();
offerCopies(document);
offerCredentials();
offerTries();
openTarget();
addEventListener('hashchange', openTarget);
// The focus moves with the click: `hashchange` comes later, and would interrupt typing.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('#contents a') : null;
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, '', link.getAttribute('href'));
  openTarget();
});
