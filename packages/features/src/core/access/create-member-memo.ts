import type { MemberSnapshot } from './access-reader.js';

/** The maximum of each kind that is kept for one member. */
const KEPT = 32;

/**
 * Keeps data that is read about a member as long as their snapshot: each change of the member replaces the snapshot, and then
 * everything is read again. Missing data is not kept, and neither is a read that failed.
 */
export function createMemberMemo<Value extends object | string>(): (
  member: MemberSnapshot,
  name: number | string,
  load: () => Promise<Value | undefined>,
) => Promise<Value | undefined> {
  const kept = new WeakMap<MemberSnapshot, Map<number | string, Promise<Value | undefined>>>();
  return (member, name, load) => {
    const ofMember = kept.get(member) ?? new Map<number | string, Promise<Value | undefined>>();
    kept.set(member, ofMember);
    const known = ofMember.get(name);
    if (known !== undefined) return known;
    const loading = load();
    if (ofMember.size >= KEPT) ofMember.clear();
    ofMember.set(name, loading);
    const forget = () => {
      if (ofMember.get(name) === loading) ofMember.delete(name);
    };
    loading.then((value) => {
      if (value === undefined) forget();
    }, forget);
    return loading;
  };
}
