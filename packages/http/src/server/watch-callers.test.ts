import { expect, it } from 'vitest';
import { type SeenRequest, watchCallers } from './watch-callers.js';

/** The warnings after these requests. */
function warningsAfter(requests: readonly Partial<SeenRequest>[]): string[] {
  const warnings: string[] = [];
  const watch = watchCallers({ warning: (event, { detail }) => void warnings.push(`${event}: ${detail}`) });
  const request = {
    address: '10.0.0.5',
    peer: '::ffff:10.0.0.5',
    forwardedFor: undefined,
    memberId: undefined,
  };
  for (const each of requests) watch.see({ ...request, ...each });
  return warnings;
}

const times = (count: number, make: (index: number) => Partial<SeenRequest>) =>
  Array.from({ length: count }, (_, index) => make(index));
const people = (count: number) => (index: number) => ({ forwardedFor: `192.0.2.${index % count}` });
const members = (count: number) => (index: number) => ({ memberId: index % count });

it('a warning is logged once when a proxy names several callers in a header that is not trusted', () => {
  expect(warningsAfter(times(1_000, people(9)))).toEqual([
    expect.stringMatching(
      /^proxy\.untrusted: All of the last 100 requests have the address 10\.0\.0\.5\..*TRUSTED_PROXIES/,
    ),
  ]);
});

it('a warning is logged once when several members call from one address', () => {
  expect(warningsAfter(times(1_000, members(9)))).toHaveLength(1);
});

it('no warning is logged when callers have addresses of their own', () => {
  const own = times(2_000, (index) => ({ ...members(9)(index), address: `192.0.2.${index % 2}` }));
  expect(warningsAfter(own)).toEqual([]);
});

it('no warning is logged about one caller who sends other addresses to a trusted proxy', () => {
  expect(warningsAfter(times(1_000, members(1)))).toEqual([]);
  const trusted = times(1_000, (index) => ({ ...people(9)(index), peer: '127.0.0.1' }));
  expect(warningsAfter(trusted)).toEqual([]);
});

it("the watch on callers' addresses ends after the first 2,000 requests", () => {
  const own = times(2_000, (index) => ({ address: `192.0.2.${index % 2}` }));
  expect(warningsAfter([...own, ...times(1_000, people(9))])).toEqual([]);
});
