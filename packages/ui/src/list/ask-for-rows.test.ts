import { describe, expect, it } from 'vitest';
import { askForRows, readRows } from './ask-for-rows.js';

const PAGES = {
  first: { data: [], page: { nextCursor: 'second' } },
  second: { data: [], page: { nextCursor: 'third' } },
  third: { data: [7], page: { nextCursor: 'last' } },
  last: { data: [], page: { nextCursor: null } },
};

const ask = ({ cursor = 'first' }: { cursor?: string }) =>
  Promise.resolve(PAGES[cursor === 'first' || cursor === 'second' || cursor === 'third' ? cursor : 'last']);

describe('a page of a search', () => {
  it('is requested again after empty ones that ran out of time', async () => {
    expect(await askForRows(ask)).toEqual({ data: [7], page: { nextCursor: 'last' } });
  });

  it('is empty when nothing is left', async () => {
    expect(await askForRows(ask, 'last')).toEqual({ data: [], page: { nextCursor: null } });
  });
});

describe('the rows of a search', () => {
  const searched = (...pages: number[][]) => {
    const asked: string[] = [];
    const askPage = ({ cursor = '0' }: { cursor?: string }) => {
      asked.push(cursor);
      const next = Number(cursor) + 1;
      const page = { nextCursor: next < pages.length ? String(next) : null };
      return Promise.resolve({ data: pages[Number(cursor)] ?? [], page });
    };
    return { askPage, asked };
  };

  it('are read from further pages when a page has some but not enough', async () => {
    const { askPage } = searched([7], [], [8], [9]);
    expect(await readRows(askPage, 2)).toEqual([7, 8]);
    expect(await readRows(searched([7], [], []).askPage, 2)).toEqual([7]);
    expect(await readRows(searched([], []).askPage, 2)).toEqual([]);
  });

  it('are not read further than needed', async () => {
    const { askPage, asked } = searched([], [7, 8], [9]);
    expect(await readRows(askPage, 2)).toEqual([7, 8]);
    expect(asked).toEqual(['0', '1']);
  });
});
