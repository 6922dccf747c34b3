import { describe, expect, it } from 'vitest';
import { canonicalJson } from './canonical-json.js';
import { parseJson } from './json.js';

describe('the canonical form of JSON', () => {
  it('matches the examples in RFC 8785', () => {
    const example = parseJson(
      '{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/","literals":[null,true,false]}',
    );
    expect(canonicalJson(example ?? null)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
    expect(canonicalJson({ '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    );
  });

  it('is the same whatever the order of the keys', () => {
    expect(canonicalJson({ b: { d: 1, c: 2 }, a: [] })).toBe(canonicalJson({ a: [], b: { c: 2, d: 1 } }));
  });
});
