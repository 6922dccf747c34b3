import { element } from './element.js';

/**
 * Adds a search field above the contents. It shows only operations with every word in their path, summary or
 * fields.
 */
export function offerSearch() {
  const place = document.getElementById('search');
  const side = document.querySelector('.side');
  if (!place || !side) return;
  const input = element('input', {
    id: 'find',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-controls': 'contents',
  });
  const found = element('span', { role: 'status' });
  const keys = element('kbd', {}, ['Ctrl K']);
  place.append(
    element('label', { for: 'find' }, ['Search paths, names and fields']),
    input,
    element('p', { class: 'found' }, [found, keys]),
  );

  const items = [...document.querySelectorAll('#contents > ul > li')];
  const chapters = items
    .filter((item) => item instanceof HTMLElement)
    .map((item) => ({ item, links: [...item.querySelectorAll('.to')].flatMap(searchable) }));

  const search = () => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    side.classList.toggle('searching', words.length > 0);
    let count = 0;
    for (const { item, links } of chapters) {
      let isShown = words.length === 0;
      for (const { line, text } of links) {
        const fits = words.every((word) => text.includes(word));
        line.hidden = !fits;
        if (fits) count += 1;
        isShown ||= fits;
      }
      item.hidden = !isShown;
    }
    found.textContent = words.length === 0 ? '' : `${count} found`;
  };
  const close = () => {
    input.value = '';
    search();
  };

  input.addEventListener('input', search);
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      input.focus();
      input.select();
    }
  });
  side.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === 'Escape') {
      close();
      input.focus();
    } else if (event.key === 'Enter') {
      const chosen = event.target === input ? shownLinks()[0] : event.target;
      if (!(chosen instanceof HTMLAnchorElement)) return;
      // The focus moves to the operation; otherwise the same key would close it again.
      event.preventDefault();
      chosen.click();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const stops = [input, ...shownLinks()];
      const at = stops.findIndex((stop) => stop.matches(':focus'));
      stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
    }
  });
  // On a narrow screen the list would cover the chosen operation.
  side.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('#contents a') !== null;
    if (isLink && matchMedia('(max-width: 59.99rem)').matches) close();
  });
}

/** @returns {HTMLAnchorElement[]} */
function shownLinks() {
  return [...document.querySelectorAll('#contents a.to')]
    .filter((link) => link instanceof HTMLAnchorElement)
    .filter((link) => link.checkVisibility());
}

/**
 * @param {Element} link
 * @returns {{ line: HTMLElement, text: string }[]} its line in the contents, and its searchable text
 */
function searchable(link) {
  const id = link.getAttribute('href')?.slice(1) ?? '';
  const operation = document.getElementById(id);
  const fields = [...(operation?.querySelectorAll('.fields code') ?? [])].map((field) => field.textContent);
  const line = link.parentElement;
  return line
    ? [
        {
          line,
          text: [link.textContent, id, ...fields].join(' ').toLowerCase(),
        },
      ]
    : [];
}
