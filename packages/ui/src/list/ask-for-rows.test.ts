import { describe, expect, it } from 'vitest';
import { askForRows } from './ask-for-rows.js';

const PAGES = {
  first: { data: [], page: { nextCursor: 'second' } },
  second: { data: [], page: { nextCursor: 'third' } },
  third: { data: [7], page: { nextCursor: 'last' } },
  last: { data: [], page: { nextCursor: null } },
};

const ask = ({ cursor = 'first' }: { cursor?: string }) =>
  Promise.resolve(PAGES[cursor === 'first' || cursor === 'second' || cursor === 'third' ? cursor : 'last']);

describe('a page of a search', () => {
  it('is asked for again behind those that are empty because the search ran out of time', async () => {
    expect(await askForRows(ask)).toEqual({ data: [7], page: { nextCursor: 'last' } });
  });

  it('is empty where nothing is left', async () => {
    expect(await askForRows(ask, 'last')).toEqual({ data: [], page: { nextCursor: null } });
  });
});
