/** Opens the operation in the URL's fragment, and marks it in the contents. */
export function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const target = id === '' ? null : document.getElementById(id);
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
    target.querySelector('summary')?.focus({ preventScroll: true });
  }
  for (const link of document.querySelectorAll('#contents a')) {
    if (link.getAttribute('href') === location.hash) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}
