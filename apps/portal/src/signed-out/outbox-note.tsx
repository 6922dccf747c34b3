import { rich } from '@gatehouse/ui/parts/rich';
import type { ReactElement } from 'react';
import { useSettings } from './settings.js';
import { t } from './words.js';

/** Links to the mails if they stay on this machine, as in development. */
export function OutboxNote(): ReactElement | null {
  const { outbox } = useSettings();
  if (outbox === undefined) return null;
  return (
    <p className="bg-lantern-wash px-3 py-3">
      {rich(t('demo.mails'), {
        outbox: (inner) => (
          <a href={outbox} target="_blank" rel="noopener" className="underline underline-offset-3">
            {inner}
          </a>
        ),
      })}
    </p>
  );
}
