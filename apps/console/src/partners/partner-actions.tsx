import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { PARTNERS_KEY, type Partner } from './partner-secret.js';

/** The actions that need a confirmation. */
const QUESTIONS = {
  rotate: ['partners.rotateTitle', 'partners.rotateEffect', 'partners.rotate'],
  finish: ['partners.finishTitle', 'partners.finishEffect', 'partners.finish'],
  deactivate: ['partners.stopTitle', 'partners.stopEffect', 'partners.stop'],
} as const;

/** The actions that activate or deactivate a partner, and that change its secrets. */
export function PartnerActions({
  partner: { id: partnerId, name, active, secrets },
  onTold,
}: {
  readonly partner: Partner;
  readonly onTold: (told: Told | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const starting = useMutationState();
  const mutation = useMutationState();
  const [asks, setAsks] = useState<keyof typeof QUESTIONS>();
  const { partner: api } = gatehouse.api;

  async function settled(told: Told): Promise<void> {
    await queries.invalidateQueries({ queryKey: PARTNERS_KEY });
    setAsks(undefined);
    onTold(told);
  }

  const work = {
    async rotate(signal: AbortSignal): Promise<Told> {
      const { secretKey, previousUntil } = await api.rotateSecret.mutate({ partnerId }, { signal });
      const notice =
        previousUntil === null
          ? t('secret.giveAway')
          : t('secret.before', { time: shownTime(previousUntil) });
      return { secret: secretKey, notice };
    },
    async finish(signal: AbortSignal): Promise<Told> {
      await api.finishRotation.mutate({ partnerId }, { signal });
      return { notice: t('partners.finished') };
    },
    async deactivate(signal: AbortSignal): Promise<Told> {
      await api.deactivate.mutate({ partnerId }, { signal });
      return { notice: t('partners.isOff', { name }) };
    },
  } as const;

  return (
    <>
      {active ? (
        <>
          <Button onClick={() => setAsks('rotate')}>{t('partners.rotate')}</Button>
          {secrets.length > 1 ? (
            <Button onClick={() => setAsks('finish')}>{t('partners.finish')}</Button>
          ) : null}
          <Button kind="grave" onClick={() => setAsks('deactivate')}>
            {t('partners.stop')}
          </Button>
        </>
      ) : (
        <Button
          kind="primary"
          isBusy={starting.isBusy}
          onClick={() =>
            starting.send(async (signal) => {
              await withReauth(() => api.save.mutate({ partnerId, active: true }, { signal }));
              await settled({ notice: t('partners.started', { name }) });
            })
          }
        >
          {t('partners.start')}
        </Button>
      )}
      {starting.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={starting.failure} />
        </div>
      )}
      {asks === undefined ? null : (
        <Confirm
          key={asks}
          title={t(QUESTIONS[asks][0], { name })}
          effect={t(QUESTIONS[asks][1])}
          action={t(QUESTIONS[asks][2])}
          mutation={mutation}
          onConfirm={async (_fields, signal) => {
            onTold(undefined);
            await settled(await withReauth(() => work[asks](signal)));
          }}
          onClose={() => setAsks(undefined)}
        />
      )}
    </>
  );
}

/** The result of an action. */
export interface Told {
  readonly notice: string;
  /** A secret that is shown only now. */
  readonly secret?: string;
}
