import { element } from './element.js';

/**
 * The tokens for requests, by security scheme. They are kept only in the fields of this page: a reload
 * removes them. Scripts cannot send cookies of their own.
 */
export function offerCredentials() {
  for (const term of document.querySelectorAll('dt[id^="by-"]:not([id^="by-cookie"])')) {
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
 * @returns {HTMLInputElement | undefined} the field with its token
 */
export function credentialField(scheme) {
  const field = document.getElementById(`token-${scheme}`);
  return field instanceof HTMLInputElement ? field : undefined;
}
