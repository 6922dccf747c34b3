import type { MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { FailureNote } from '@gatehouse/ui/form/form';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { isReadOnly, useMe } from '../../session/me.js';
import { t } from '../words.js';

/** The confirmations: consenting to a partner for all accounts, and ending its link. */
const QUESTIONS = {
  consent: {
    title: 'consent.title',
    effect: 'consent.effect',
    action: 'consent.submit',
    work: (partnerId: number, signal: AbortSignal) =>
      gatehouse.api.partner.consent.mutate({ partnerId, consent: true }, { signal }),
  },
  end: {
    title: 'partnerEnd.title',
    effect: 'partnerEnd.effect',
    action: 'partnerEnd.submit',
    work: (partnerId: number, signal: AbortSignal) =>
      withReauth(() => gatehouse.api.partner.endLink.mutate({ partnerId }, { signal })),
  },
} as const;

export type PartnerQuestion = keyof typeof QUESTIONS;

export function PartnerDialog({
  question,
  partnerId,
  name,
  queryKey,
  onClose,
}: {
  readonly question: PartnerQuestion;
  readonly partnerId: number;
  readonly name: string;
  readonly queryKey: readonly unknown[];
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const { title, effect, action, work } = QUESTIONS[question];
  return (
    <Confirm
      title={t(title, { name })}
      effect={t(effect, { name })}
      action={t(action)}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await work(partnerId, signal);
        await queries.invalidateQueries({ queryKey });
        onClose();
      }}
      onClose={onClose}
    />
  );
}

type Partner = MainOutputs['partner']['listMine']['data'][number];

const KEY = ['you', 'partners'] as const;

export const PartnersScreen = inLanguage(Partners);

function Partners(): ReactElement {
  const partners = usePages(KEY, (page, signal) => gatehouse.api.partner.listMine.query(page, { signal }));
  return (
    <QueryView answer={partners} title={t('partners.title')}>
      {(rows) => {
        const everywhere = rows.filter(({ consentedAt }) => consentedAt !== null).length;
        const able = rows.filter(({ heldSince }) => heldSince === null).length;
        return (
          <Screen
            title={t('partners.title')}
            lead={
              rows.length === 0
                ? t('partners.none')
                : `${t('partners.count', { count: able })} ${t('partners.lead', { count: everywhere })}`
            }
          >
            {rows.length === 0 ? null : (
              <Card title={t('partners.list')}>
                <ul>
                  {rows.map((partner) => (
                    <Row key={partner.partnerId} partner={partner} />
                  ))}
                </ul>
                <More of={partners} />
              </Card>
            )}
          </Screen>
        );
      }}
    </QueryView>
  );
}

function Row({ partner }: { readonly partner: Partner }): ReactElement {
  const { partnerId, name, appUrl, active, linkedAt, consentedAt, heldSince } = partner;
  const me = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [asking, setAsking] = useState<PartnerQuestion>();
  const isEverywhere = consentedAt !== null;
  const isHeld = heldSince !== null;
  const tone = stateOf(partner);
  const close = () => setAsking(undefined);
  const send = (work: (signal: AbortSignal) => Promise<unknown>): void =>
    mutation.send(async (signal) => {
      await work(signal);
      await queries.invalidateQueries({ queryKey: KEY });
    });
  return (
    <li className="flex flex-col gap-3 border-b border-line px-3 py-2.5 last:border-0">
      <div className="flex flex-wrap items-start gap-3">
        {tone === 'ok' ? null : (
          <span className="pt-0.5">
            <StatusIcon tone={tone} />
          </span>
        )}
        <div className="min-w-0 flex-1 basis-40">
          <bdi className="font-semibold">{name}</bdi>
          <p className="text-quiet">
            <bdi>{hostOf(appUrl)}</bdi>
          </p>
          <p>{t(isHeld ? 'partners.held' : isEverywhere ? 'partners.everywhere' : 'partners.own')}</p>
          <p className="text-quiet">
            {isEverywhere
              ? t('partners.since', { day: shownDay(consentedAt) })
              : t('partners.linked', { day: shownDay(linkedAt) })}
          </p>
          {active ? null : <p className="text-quiet">{t('partners.off')}</p>}
        </div>
        {isReadOnly(me) ? null : (
          <div className="flex flex-wrap gap-3">
            {isHeld ? (
              <Button
                isBusy={mutation.isBusy}
                onClick={() =>
                  send((signal) =>
                    withReauth(() =>
                      gatehouse.api.takeover.decide.mutate({ partnerId, keep: true }, { signal }),
                    ),
                  )
                }
              >
                {t('partners.keep')}
                <span className="sr-only"> {name}</span>
              </Button>
            ) : isEverywhere ? (
              <Button
                isBusy={mutation.isBusy}
                onClick={() =>
                  send((signal) =>
                    gatehouse.api.partner.consent.mutate({ partnerId, consent: false }, { signal }),
                  )
                }
              >
                {t('partners.withdraw')}
                <span className="sr-only"> {name}</span>
              </Button>
            ) : (
              <Button onClick={() => setAsking('consent')}>
                {t('partners.open')}
                <span className="sr-only"> {name}</span>
              </Button>
            )}
            <Button onClick={() => setAsking('end')}>
              {t('partners.end')}
              <span className="sr-only"> {name}</span>
            </Button>
          </div>
        )}
      </div>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      {asking === undefined ? null : (
        <PartnerDialog question={asking} partnerId={partnerId} name={name} queryKey={KEY} onClose={close} />
      )}
    </li>
  );
}

function stateOf({ active, consentedAt, heldSince }: Partner) {
  if (!active || heldSince !== null) return 'error';
  return consentedAt === null ? 'ok' : 'pending';
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
