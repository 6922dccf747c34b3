/** What is looked for in a list. It stands in the address, so that Back and a link find it again. */
export function readSearched({ q }: Record<string, unknown>): { readonly q?: string } {
  const text = typeof q === 'string' || typeof q === 'number' ? String(q) : '';
  return text === '' ? {} : { q: text };
}
