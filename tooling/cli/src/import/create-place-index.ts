import { createHash } from 'node:crypto';

/** Where a record is in its file, in bytes. */
interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Finds records of a file by a key, of which it stores only a digest: twenty bytes for each record. */
interface PlaceIndex {
  add(key: string, place: Place): void;
  /** The places of records with this key, and rarely of one with another key of the same digest. */
  of(key: string): readonly Place[];
}

const FIRST_SIZE = 1024;

export function createPlaceIndex(): PlaceIndex {
  let digests = new Uint32Array(FIRST_SIZE);
  let offsets = new Float64Array(FIRST_SIZE);
  let lengths = new Float64Array(FIRST_SIZE);
  let count = 0;
  let order: Uint32Array | undefined;

  const grow = () => {
    const [before, at, of] = [digests, offsets, lengths];
    digests = new Uint32Array(count * 2);
    offsets = new Float64Array(count * 2);
    lengths = new Float64Array(count * 2);
    digests.set(before);
    offsets.set(at);
    lengths.set(of);
  };
  const sorted = () => {
    const by = Uint32Array.from({ length: count }, (_, at) => at);
    return by.sort((one, other) => (digests[one] ?? 0) - (digests[other] ?? 0) || one - other);
  };
  return {
    add(key, { offset, length }) {
      if (count === digests.length) grow();
      digests[count] = digestOf(key);
      offsets[count] = offset;
      lengths[count] = length;
      count += 1;
      order = undefined;
    },
    of(key) {
      const by = order ?? sorted();
      order = by;
      const digest = digestOf(key);
      let [low, high] = [0, count];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((digests[by[middle] ?? 0] ?? 0) < digest) low = middle + 1;
        else high = middle;
      }
      const places: Place[] = [];
      for (let at = low; at < count; at += 1) {
        const place = by[at] ?? 0;
        if (digests[place] !== digest) break;
        places.push({ offset: offsets[place] ?? 0, length: lengths[place] ?? 0 });
      }
      return places;
    },
  };
}

function digestOf(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE();
}
