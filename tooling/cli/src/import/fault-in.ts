import type { z } from 'zod';

/**
 * Why a value is refused: the part that cannot be read, by its name.
 * @param id the field without which the value is useless
 * @param nothing what it is then
 */
export function faultIn(error: z.ZodError | undefined, id: string, nothing: string): string {
  const names = (error?.issues ?? []).flatMap(({ path: [name] }) => name ?? []).map(String);
  const [first] = names;
  return first === undefined || names.includes(id) ? nothing : `has ${first} in a form that cannot be read`;
}
