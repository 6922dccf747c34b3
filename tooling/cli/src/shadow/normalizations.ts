import type { Json } from '../record/json.js';
import { hasSecrets, maskSecrets, namesSecret } from '../record/secret-digests.js';

/** How far apart two times may be that both systems set while the request was replayed. */
const MADE_NOW_MS = 10 * 60_000;

const TIME = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/;

/** Two values of a field that are not equal. */
interface Pair {
  readonly name: string;
  readonly old: Json | undefined;
  readonly new: Json | undefined;
  /** Whether the request makes rows. */
  readonly creates: boolean;
  readonly nowMs: number;
}

/** Values that are regarded as equal, by the name in docs/shadow.md. */
export const NORMALIZATIONS: Readonly<Record<string, (pair: Pair) => boolean>> = {
  times: ({ old, new: other, nowMs }) => {
    const [one, two] = [timeOf(old), timeOf(other)];
    if (one === undefined || two === undefined) return false;
    if (Math.floor(one / 1000) === Math.floor(two / 1000)) return true;
    return [one, two].every((ms) => Math.abs(ms - nowMs) < MADE_NOW_MS);
  },
  tokens: ({ name, old, new: other }) => {
    if (typeof old !== 'string' || typeof other !== 'string' || old === '' || other === '') return false;
    if (hasSecrets(old) && hasSecrets(other)) return maskSecrets(old) === maskSecrets(other);
    // An affiliate's code is public, in links.
    return name !== 'code' && namesSecret(name);
  },
  'new ids': ({ name, old, new: other, creates }) =>
    creates && /(?:^i|I)d$/.test(name) && Number.isInteger(old) && Number.isInteger(other),
  nothing: ({ old, new: other }) => old === null && other === undefined,
  'words for people': ({ name, old, new: other }) =>
    name === 'message' && typeof old === 'string' && typeof other === 'string',
};

/** Whether two values of a field are regarded as equal. */
export function isSameValue(pair: Pair): boolean {
  return pair.old === pair.new || Object.values(NORMALIZATIONS).some((isSame) => isSame(pair));
}

/** Times without a zone are UTC, as the move reads them. */
function timeOf(value: Json | undefined): number | undefined {
  if (typeof value !== 'string' || !TIME.test(value)) return undefined;
  const text = value.replace(' ', 'T');
  const ms = Date.parse(
    /[Z+]|-\d\d:?\d\d$/.test(text.slice(10)) ? text : `${text}${text.length > 10 ? 'Z' : ''}`,
  );
  return Number.isNaN(ms) ? undefined : ms;
}
