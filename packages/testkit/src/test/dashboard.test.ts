import { describe, expect, it } from 'vitest';
import { readDashboard } from '../shown-queries.js';

const COLUMNS = 24;

describe('the dashboard for Grafana', () => {
  const { panels } = readDashboard();

  it('has panels that can be told apart, each with a title, a question and a description', () => {
    const ids = panels.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)]);
    const titles = panels.map(({ title }) => title);
    expect(titles).toEqual([...new Set(titles)]);
    for (const { type, targets, description, title } of panels) {
      const refIds = targets.map(({ refId }) => refId);
      expect([title, refIds]).toEqual([title, [...new Set(refIds)]]);
      expect([title, targets.length > 0, description !== undefined]).toEqual([
        title,
        type !== 'row',
        type !== 'row',
      ]);
    }
  });

  it('gives every panel its own place', () => {
    const places = panels.map(({ title, gridPos: { x, y, w, h } }) => ({
      title,
      x,
      y,
      right: x + w,
      below: y + h,
    }));
    expect(places.filter(({ right }) => right > COLUMNS)).toEqual([]);
    const overlapping = places.flatMap((one, index) =>
      places
        .slice(index + 1)
        .filter((two) => one.x < two.right && two.x < one.right && one.y < two.below && two.y < one.below)
        .map((two) => [one.title, two.title]),
    );
    expect(overlapping).toEqual([]);
  });
});
