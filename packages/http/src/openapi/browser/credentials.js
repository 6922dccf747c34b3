import { element } from './element.js';

/**
 * The tokens that tries are sent with, by security scheme. They live in the fields of this page and nowhere else: a
 * reload forgets them.
 */
export function offerCredentials() {
  for (const term of document.querySelectorAll('dt[id^="by-"]')) {
    const id = `token-${term.id.slice(3)}`;
    const field = element('div', { class: 'field' }, [
      element('label', { for: id }, [
        'Token for tries ',
        element('small', {}, ['kept until this page is reloaded']),
      ]),
      element('input', { id, class: 'token', autocomplete: 'off', spellcheck: 'false' }),
    ]);
    term.nextElementSibling?.append(field);
  }
}

/**
 * @param {string} scheme
 * @returns {HTMLInputElement | undefined} where its token is
 */
export function credentialField(scheme) {
  const field = document.getElementById(`token-${scheme}`);
  return field instanceof HTMLInputElement ? field : undefined;
}
