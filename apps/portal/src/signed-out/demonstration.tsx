import type { MutationState } from '@gatehouse/ui/call/use-send';
import { Button } from '@gatehouse/ui/parts/button';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { enter } from './enter.js';
import type { Settings } from './settings.js';
import { t } from './words.js';

const KINDS = { owner: 'demo.owner', member: 'demo.member' } as const;

/** The people of the demonstration data, whom a development start lets anybody be. */
export function Demonstration({
  of: { logins, password },
  mutation,
}: {
  readonly of: NonNullable<Settings['demonstration']>;
  readonly mutation: MutationState;
}): ReactElement {
  return (
    <section aria-label={t('demo.title')} className="flex flex-col gap-3 bg-lantern-wash px-3 py-3">
      <p>{t('demo.text')}</p>
      {logins.map(({ email, kind }) => (
        <Button
          key={email}
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send((signal) => enter(() => gatehouse.signIn({ email, password }, { signal })))
          }
        >
          <span className="flex w-full flex-wrap items-baseline justify-between gap-x-3">
            <span>{t(KINDS[kind])}</span>
            <span className="font-normal text-quiet">{email}</span>
          </span>
        </Button>
      ))}
    </section>
  );
}
