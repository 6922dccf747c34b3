import { Card } from '@gatehouse/ui/parts/card';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { t } from '../words.js';
import { type BulkRun, itemsIn, type RunItem, refusals } from './bulk-run.js';
import { nameOf } from './names.js';

/** What became of each: done, refused and why, not tried, and those of whom nobody knows. */
export function Report({ run }: { readonly run: BulkRun }): ReactElement {
  return (
    <>
      <Part title="bulk.partUnknown" items={itemsIn(run, 'sent')} />
      <Part title="bulk.partLost" items={itemsIn(run, 'lost')} />
      {[...refusals(run)].map(([why, items]) => (
        <Part key={why} title="bulk.partRefused" items={items} why={why} />
      ))}
      <Part title="bulk.partWaiting" items={itemsIn(run, 'waiting', 'again')} />
      <Part title="bulk.partDone" items={itemsIn(run, 'done')} />
    </>
  );
}

function Part({
  title,
  items,
  why,
}: {
  readonly title:
    | 'bulk.partUnknown'
    | 'bulk.partLost'
    | 'bulk.partRefused'
    | 'bulk.partWaiting'
    | 'bulk.partDone';
  readonly items: readonly RunItem[];
  readonly why?: string;
}): ReactElement | null {
  if (items.length === 0) return null;
  return (
    <Card title={t(title, { count: items.length })}>
      {why === undefined ? null : <p className="px-3 pt-3 wrap-anywhere">{why}</p>}
      <ul className="flex max-h-60 flex-wrap gap-x-3 overflow-y-auto p-3">
        {items.map(({ memberId }) => (
          <li key={memberId}>
            <Link
              to="/members/$memberId"
              params={{ memberId: String(memberId) }}
              preload={false}
              className="inline-flex min-h-6 items-center gap-1 text-harbour underline decoration-line underline-offset-3 hover:decoration-current"
            >
              <bdi>{nameOf(memberId)}</bdi>
              <span className="font-mono">#{memberId}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
