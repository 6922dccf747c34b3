import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote, Form } from '@gatehouse/ui/form/form';
import { AddressField, TextField } from '@gatehouse/ui/form/text-field';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { Trail } from '../shell/breadcrumbs.js';
import { LostScreen } from '../shell/lost-screen.js';
import { t } from '../words.js';
import { AFFILIATES_KEY, type Affiliate, useAffiliate } from './affiliate-query.js';

/** The terms of an affiliate. */
function TermsCard({
  affiliate: { memberId, code, commissionPercent, payoutEmail },
  onNotice,
}: {
  readonly affiliate: Affiliate;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('code', 'commissionPercent', 'payoutEmail');
  return (
    <Card title={t('affiliates.terms')}>
      <div className="max-w-md p-3">
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            onNotice(undefined);
            const terms = {
              affiliateId: memberId,
              memberId,
              code: (fields['code'] ?? '').trim(),
              commissionPercent: Number((fields['commissionPercent'] ?? '').replace(',', '.')),
              payoutEmail: (fields['payoutEmail'] ?? '').trim(),
            };
            await gatehouse.api.affiliate.save.mutate(terms, { signal });
            await queries.invalidateQueries({ queryKey: AFFILIATES_KEY });
            onNotice(t('edit.done'));
          }}
        >
          <TextField
            name="code"
            label={t('affiliates.code')}
            hint={t('affiliates.codeHint')}
            defaultValue={code}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <TextField
            name="commissionPercent"
            label={t('affiliates.commission')}
            defaultValue={String(commissionPercent)}
            inputMode="decimal"
            autoComplete="off"
            required
          />
          <AddressField
            name="payoutEmail"
            label={t('affiliates.payout')}
            defaultValue={payoutEmail}
            autoComplete="off"
            required
          />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('edit.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}

export const AffiliateScreen = inLanguage(OneAffiliate);

type Referral = AdminOutputs['affiliate']['referrals']['data'][number];

function OneAffiliate(): ReactElement {
  const { memberId = '' } = useParams({ strict: false });
  return mayAsStaff(useMe(), 'affiliate.read') ? (
    <Asking key={memberId} memberId={Number(memberId)} />
  ) : (
    <Denied />
  );
}

function Asking({ memberId }: { readonly memberId: number }): ReactElement {
  const answer = useAffiliate(memberId);
  return (
    <QueryView
      answer={answer}
      title={t('frame.affiliates')}
      trail={
        <Trail
          to="/affiliates"
          all={t('frame.affiliates')}
          id={memberId}
          name={answer.data ? shownName(answer.data) : undefined}
        />
      }
    >
      {(affiliate) => (affiliate === null ? <LostScreen /> : <Shown affiliate={affiliate} />)}
    </QueryView>
  );
}

function Shown({ affiliate }: { readonly affiliate: Affiliate }): ReactElement {
  const { memberId, active, marketingUrl } = affiliate;
  const mayManage = mayAsStaff(useMe(), 'affiliate.manage');
  const [notice, setNotice] = useState<string>();
  const name = shownName(affiliate);
  return (
    <Screen
      title={t(active ? 'affiliates.isOn' : 'affiliates.isOff', { name })}
      tone={active ? 'ok' : 'error'}
      lead={marketingUrl === null ? undefined : <bdi className="font-mono">{marketingUrl}</bdi>}
      actions={mayManage ? <Switch affiliate={affiliate} onNotice={setNotice} /> : null}
    >
      <Notice text={notice} onClose={setNotice} />
      {mayManage ? (
        <TermsCard key={JSON.stringify(affiliate)} affiliate={affiliate} onNotice={setNotice} />
      ) : null}
      <ReferralsCard memberId={memberId} />
    </Screen>
  );
}

function Switch({
  affiliate: { memberId, code, commissionPercent, payoutEmail, active },
  onNotice,
}: {
  readonly affiliate: Affiliate;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <>
      <Button
        kind={active ? 'grave' : 'primary'}
        isBusy={mutation.isBusy}
        onClick={() => {
          onNotice(undefined);
          mutation.send(async (signal) => {
            const terms = { affiliateId: memberId, memberId, code, commissionPercent, payoutEmail };
            await gatehouse.api.affiliate.save.mutate({ ...terms, active: !active }, { signal });
            await queries.invalidateQueries({ queryKey: AFFILIATES_KEY });
            onNotice(t('edit.done'));
          });
        }}
      >
        {t(active ? 'affiliates.switchOff' : 'affiliates.switchOn')}
      </Button>
      {mutation.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </>
  );
}

/** The members that an affiliate referred, as far as the reader may see them. */
function ReferralsCard({ memberId: affiliateId }: { readonly memberId: number }): ReactElement {
  const answer = useQuery({
    queryKey: [...AFFILIATES_KEY, affiliateId, 'referrals'],
    queryFn: ({ signal }) => gatehouse.api.affiliate.referrals.query({ affiliateId }, { signal }),
  });
  return (
    <Card title={t('affiliates.referrals')}>
      <QueryView answer={answer} isPart>
        {({ data, counts }) => (
          <>
            <p className="p-3 text-quiet">{t('affiliates.counts', counts)}</p>
            <ul className="divide-y divide-line">
              {data.map((referral) => (
                <Row key={referral.id} referral={referral} />
              ))}
            </ul>
          </>
        )}
      </QueryView>
    </Card>
  );
}

function Row({
  referral: { id, username, registeredAt, confirmed },
}: {
  readonly referral: Referral;
}): ReactElement {
  return (
    <li className="flex flex-wrap items-center gap-x-3 p-3 wrap-anywhere">
      <Link to="/members/$memberId" params={{ memberId: String(id) }} className={LINK}>
        <bdi>{username}</bdi>
      </Link>
      <span className="text-quiet">{shownDay(registeredAt)}</span>
      {confirmed ? null : <Badge tone="pending">{t('fact.unconfirmed')}</Badge>}
    </li>
  );
}
