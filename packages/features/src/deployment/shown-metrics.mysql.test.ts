import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import {
  createTestDatabase,
  dashboardQueries,
  readAlertRules,
  seedTestDatabase,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const dialect = 'mysql';

/** Made by Prometheus or haproxy. */
const OF_OTHERS = /^(?:up|ALERTS|haproxy_server_status)$/;
/** What Prometheus adds to every series. */
const ADDED_LABELS = ['job', 'instance'];

interface Selector {
  readonly name: string;
  readonly matchers: readonly { label: string; operator: string; value: string }[];
}

/** The metrics that a query names, with their matchers. */
function selectorsIn(query: string): Selector[] {
  const named = /\b(up|ALERTS|(?:gatehouse|process|nodejs|haproxy)_\w+)(?:\{([^}]*)\})?/g;
  return [...query.matchAll(named)].map(([, name = '', inside = '']) => ({
    name,
    matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
      ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
    ),
  }));
}

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

function seriesIn(text: string): Series[] {
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
    ),
  }));
}

/** Whether a query with this selector could ever show the series. */
function matches({ labels }: Series, { matchers }: Selector): boolean {
  return matchers.every(({ label, operator, value }) => {
    if (ADDED_LABELS.includes(label)) return true;
    const own = labels[label];
    if (own === undefined) return false;
    const isMatch = operator.endsWith('~') ? new RegExp(`^(?:${value})$`).test(own) : own === value;
    return isMatch !== operator.startsWith('!');
  });
}

const queries = [...readAlertRules().map(({ expr }) => expr), ...dashboardQueries('5m')];

describe('the alerts and the dashboard', () => {
  it('name only metrics and labels that both services have', async () => {
    await using own = await createTestDatabase(dialect);
    const { database } = own;
    await seedTestDatabase(database);
    await using main = await startService(createMain, { dialect, application: 'web', database });
    await using admin = await startService(createAdmin, { dialect, application: 'admin', database });
    const { token } = await signInByPassword(main, 'owner@acme.test');
    await main.send('/auth/me', { token });
    await main.send('/stripe_webhooks', { body: { id: 'forged' } });
    const limit = { key: 'test:1', name: 'test', most: 1, windowMs: 60_000 };
    for (let call = 0; call < 2; call += 1) await main.services.limits.consume(limit);
    await database.close();
    expect((await main.send('/auth/me', { token })).status).toBe(503);

    const exposed = await Promise.all(
      [main, admin].map(async ({ services: { metrics } }) => {
        metrics.watchProcess();
        return (await metrics.render()).text;
      }),
    );
    const selectors = queries.flatMap(selectorsIn).filter(({ name }) => !OF_OTHERS.test(name));
    expect(selectors.length).toBeGreaterThan(queries.length);
    const names = [...new Set(selectors.map(({ name }) => name))];
    const missing = names.filter(
      (name) => !exposed.every((text) => text.includes(`# TYPE ${name.replace(/_(bucket|count)$/, '')} `)),
    );
    expect(missing).toEqual([]);
    const series = exposed.flatMap(seriesIn);
    const dead = selectors.filter(
      (selector) => !series.some((each) => each.name === selector.name && matches(each, selector)),
    );
    expect(dead).toEqual([]);
    const labels = new Set(series.flatMap((each) => Object.keys(each.labels)));
    const grouped = queries.flatMap((query) =>
      [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    );
    expect(grouped.filter((label) => !labels.has(label) && !ADDED_LABELS.includes(label))).toEqual([]);
  });
});
