/** The text typed into a field of a form. */
export function fieldIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
