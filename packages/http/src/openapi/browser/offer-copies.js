import { element } from './element.js';

const SAID_MS = 2000;

/**
 * Adds a copy button to every piece of code within an element.
 * @param {ParentNode} within
 */
export function offerCopies(within) {
  for (const caption of within.querySelectorAll('figcaption')) {
    const code = caption.parentElement?.querySelector('pre');
    if (!code || caption.querySelector('button')) continue;
    const label = caption.textContent;
    const button = element('button', { type: 'button', class: 'plain', 'aria-label': `Copy: ${label}` }, [
      'Copy',
    ]);
    button.addEventListener('click', () => void copy(button, code.textContent));
    caption.append(button);
  }
}

/**
 * @param {HTMLButtonElement} button
 * @param {string} text
 */
async function copy(button, text) {
  const said = await navigator.clipboard.writeText(text).then(
    () => 'Copied',
    () => 'Not allowed',
  );
  button.textContent = said;
  announce(said);
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SAID_MS);
}

/** @param {string} text */
function announce(text) {
  const status = document.getElementById('announcement');
  if (status) status.textContent = text;
}
