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
