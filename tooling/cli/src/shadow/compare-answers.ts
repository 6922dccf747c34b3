import { parseUrl } from '@gatehouse/auth-core';
import { isList, isRecord, type Json, textOf } from '../record/json.js';
import { isSameValue } from './normalizations.js';
import type { PlayedAnswer } from './send-played.js';

/** Where two answers differ, and what each has there. */
export interface Difference {
  /** `status`, `media type`, `location …`, or the field, as in `body.data[].email`. */
  readonly place: string;
  /** Undefined if it has none. */
  readonly old: Json | undefined;
  readonly new: Json | undefined;
}

/** Parameters of a redirect that differ for each sign-in. */
const OF_ONE_SIGN_IN = new Set(['state', 'nonce', 'code_challenge', 'code_challenge_method', 'redirect_uri']);

/** A row of a list is found in the other list by these fields, in this order. */
const ROW_KEYS = ['id', 'memberId', 'accountId', 'partnerId'];

/**
 * Compares two answers: first the status, and the content only if it is the same. Fields that the old answer does not have are
 * not a difference. Of refusals, only the envelope is compared.
 */
export function compareAnswers(
  old: PlayedAnswer | undefined,
  other: PlayedAnswer | undefined,
  { creates, nowMs }: { readonly creates: boolean; readonly nowMs: number },
): readonly Difference[] {
  const statuses = [statusOf(old), statusOf(other)] as const;
  if (old === undefined || other === undefined || statuses[0] !== statuses[1])
    return statuses[0] === statuses[1] ? [] : [difference('status', ...statuses)];
  if (old.mediaType !== other.mediaType) return [difference('media type', old.mediaType, other.mediaType)];
  const found = [...compareLocations(old.location, other.location)];
  if (old.body === undefined || other.body === undefined) {
    const isSame =
      old.mediaType === 'text/html' ||
      isSameValue({ name: '', old: old.text, new: other.text, creates, nowMs });
    return isSame ? found : [...found, difference('body', old.text, other.text)];
  }
  const [said, saysNow] = [envelopeOf(old.body), envelopeOf(other.body)];
  if (said !== saysNow) return [difference('body.status', said, saysNow)];
  const isRefusal = old.status >= 400 || said === false;
  const compare = (place: string, name: string, one: Json | undefined, two: Json | undefined): void => {
    if (isList(one) && isList(two)) compareLists(place, one, two);
    else if (isRecord(one) && isRecord(two))
      for (const [field, each] of Object.entries(one)) {
        if (isRefusal && field === 'error') continue;
        compare(`${place}.${field}`, field, each, two[field]);
      }
    else if (!isSameValue({ name, old: one, new: two, creates, nowMs }))
      found.push(difference(place, one, two));
  };
  const compareLists = (place: string, one: readonly Json[], two: readonly Json[]): void => {
    const key = rowKeyOf(one, two);
    const keyOf = (row: Json, at: number) =>
      key !== undefined && isRecord(row) ? textOf(row[key]) : String(at);
    const others = new Map<string, Json[]>();
    for (const [at, row] of two.entries())
      others.set(keyOf(row, at), [...(others.get(keyOf(row, at)) ?? []), row]);
    for (const [at, row] of one.entries()) {
      const twin = others.get(keyOf(row, at))?.shift();
      if (twin === undefined) found.push(difference(`${place}[]`, row, undefined));
      else compare(`${place}[]`, '', row, twin);
    }
    for (const row of [...others.values()].flat()) found.push(difference(`${place}[]`, undefined, row));
  };
  compare('body', '', old.body, other.body);
  return found;
}

/** The field by which rows of two lists are matched; undefined if they have none. */
export function rowKeyOf(one: readonly Json[], two: readonly Json[]): string | undefined {
  return ROW_KEYS.find((name) => [...one, ...two].every((row) => isRecord(row) && row[name] !== undefined));
}

const statusOf = (answer: PlayedAnswer | undefined): string | number => answer?.status ?? 'no answer';

const envelopeOf = (body: Json): Json | undefined => (isRecord(body) ? body['status'] : undefined);

const difference = (place: string, old: Json | undefined, other: Json | undefined): Difference => ({
  place,
  old,
  new: other,
});

function compareLocations(old: string | undefined, other: string | undefined): Difference[] {
  const [one, two] = [old, other].map((text) => (text === undefined ? undefined : parseUrl(text)));
  if (one === undefined || two === undefined)
    return old === other ? [] : [difference('location', old, other)];
  if (one.origin + one.pathname !== two.origin + two.pathname)
    return [difference('location', one.origin + one.pathname, two.origin + two.pathname)];
  return [...one.searchParams].flatMap(([name, value]) => {
    const twin = two.searchParams.get(name) ?? undefined;
    if (OF_ONE_SIGN_IN.has(name) || sorted(name, value) === sorted(name, twin)) return [];
    return [difference(`location ${name}`, value, twin)];
  });
}

/** Scopes mean the same in any order. */
const sorted = (name: string, value: string | undefined): string | undefined =>
  name === 'scope' ? value?.split(/[ ,]+/).toSorted(byText).join(' ') : value;

const byText = (one: string, other: string): number => (one < other ? -1 : 1);
