import { printable } from '../printable.js';
import { canonicalJson } from '../record/canonical-json.js';
import { isList, isRecord, type Json } from '../record/json.js';
import { maskSecrets, mayNameSecret } from '../record/secret-digests.js';
import { compareAnswers, type Difference } from './compare-answers.js';
import { DELIBERATE_DIFFERENCES } from './deliberate-differences.js';
import type { Played } from './play-recording.js';
import type { PlayedExchange } from './played-exchange.js';

/** A difference of an endpoint, and how often it occurred. */
export interface CountedDifference {
  readonly place: string;
  /** The first pair of values. */
  readonly old: string;
  readonly new: string;
  readonly count: number;
}

export interface EndpointReport {
  /** As in `GET /getUserdetail:userid`. */
  readonly endpoint: string;
  /** How many exchanges had no difference, only deliberate ones, and others. */
  readonly same: number;
  readonly deliberatelyDifferent: number;
  readonly different: number;
  /** By the row of SECURITY.md's table. */
  readonly deliberate: ReadonlyMap<string, readonly CountedDifference[]>;
  readonly differences: readonly CountedDifference[];
}

export interface ShadowReport {
  readonly played: number;
  /** How many were not replayed, by the reason. */
  readonly leftOut: ReadonlyMap<string, number>;
  /** In the order of their names. */
  readonly endpoints: readonly EndpointReport[];
}

const MAX_SHOWN = 80;

interface Counts {
  same: number;
  deliberatelyDifferent: number;
  different: number;
  readonly deliberate: Map<string, Map<string, CountedDifference>>;
  readonly differences: Map<string, CountedDifference>;
}

/**
 * Collects what was replayed. It keeps counts and the first example of each difference, so its size does not depend on the
 * recording.
 */
export function createShadowReport(): { add(played: Played): void; read(): ShadowReport } {
  const leftOut = new Map<string, number>();
  const endpoints = new Map<string, Counts>();
  let played = 0;
  return {
    add(each) {
      if ('leftOut' in each) {
        leftOut.set(each.leftOut, (leftOut.get(each.leftOut) ?? 0) + 1);
        return;
      }
      played += 1;
      const { endpoint, request } = each.exchange;
      const name = `${request.method} ${endpoint.path}`;
      const counts = endpoints.get(name) ?? newCounts();
      endpoints.set(name, counts);
      count(counts, each.exchange);
    },
    read: () => ({
      played,
      leftOut,
      endpoints: [...endpoints]
        .toSorted(([one], [other]) => one.localeCompare(other))
        .map(([endpoint, { deliberate, differences, ...counts }]) => ({
          endpoint,
          ...counts,
          deliberate: new Map([...deliberate].map(([row, found]) => [row, [...found.values()]])),
          differences: [...differences.values()],
        })),
    }),
  };
}

const newCounts = (): Counts => ({
  same: 0,
  deliberatelyDifferent: 0,
  different: 0,
  deliberate: new Map(),
  differences: new Map(),
});

function count(counts: Counts, exchange: PlayedExchange): void {
  const creates = exchange.endpoint.effect === 'creates';
  const found = compareAnswers(exchange.old, exchange.new, { creates, nowMs: Date.now() });
  let isDifferent = false;
  for (const difference of found) {
    const deliberate = DELIBERATE_DIFFERENCES.find(({ explains }) => explains?.(difference, exchange));
    const places = deliberate === undefined ? counts.differences : placesOf(counts, deliberate.row);
    isDifferent ||= deliberate === undefined;
    const before = places.get(difference.place);
    places.set(
      difference.place,
      before === undefined ? { ...shown(difference), count: 1 } : { ...before, count: before.count + 1 },
    );
  }
  if (isDifferent) counts.different += 1;
  else if (found.length > 0) counts.deliberatelyDifferent += 1;
  else counts.same += 1;
}

function placesOf({ deliberate }: Counts, row: string): Map<string, CountedDifference> {
  const places = deliberate.get(row) ?? new Map<string, CountedDifference>();
  deliberate.set(row, places);
  return places;
}

function shown({ place, old, new: other }: Difference): Omit<CountedDifference, 'count'> {
  const name = /(\w+)$/.exec(place)?.[1] ?? '';
  return { place, old: show(name, old), new: show(name, other) };
}

/** A value as the report shows it: short, and without secrets. */
function show(name: string, value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (mayNameSecret(name)) return '(secret)';
  const text = printable(maskSecrets(canonicalJson(withoutSecrets(value))));
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function withoutSecrets(value: Json): Json {
  if (isList(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      mayNameSecret(name) ? '(secret)' : withoutSecrets(each),
    ]),
  );
}

/** The lines of a report for a terminal. */
export function* renderReport({ played, leftOut, endpoints }: ShadowReport): Generator<string> {
  for (const report of endpoints) {
    const { endpoint, same, deliberatelyDifferent, different, deliberate, differences } = report;
    yield `${endpoint}: ${same} same, ${deliberatelyDifferent} deliberately different, ${different} different`;
    for (const [row, found] of deliberate) {
      yield `  SECURITY.md: ${row}`;
      for (const each of found) yield `    ${describe(each)}`;
    }
    for (const each of differences) yield `  DIFFERENT ${describe(each)}`;
  }
  for (const [why, times] of leftOut) yield `not played: ${times} (${why})`;
  const sum = (of: (report: EndpointReport) => number) =>
    endpoints.reduce((total, report) => total + of(report), 0);
  yield `${played} requests played: ${sum(({ same }) => same)} same, ${sum(
    (report) => report.deliberatelyDifferent,
  )} deliberately different, ${sum(({ different }) => different)} different`;
}

function describe({ place, old, new: other, count: times }: CountedDifference): string {
  return `${place}: ${old} there, ${other} here${times === 1 ? '' : `, ${times} times`}`;
}

/** The same as lines of JSON. */
export function* renderJson({ played, leftOut, endpoints }: ShadowReport): Generator<string> {
  for (const { deliberate, differences, ...counts } of endpoints) {
    const rows = [...deliberate].map(([row, found]) => ({ row, differences: found.map(asJson) }));
    yield canonicalJson({
      is: 'endpoint',
      ...counts,
      deliberate: rows,
      differences: differences.map(asJson),
    });
  }
  yield canonicalJson({ is: 'end', played, leftOut: Object.fromEntries(leftOut) });
}

const asJson = ({ place, old, new: other, count: times }: CountedDifference) => ({
  place,
  old,
  new: other,
  count: times,
});
