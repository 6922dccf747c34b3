import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { At } from '@gatehouse/ui/screen/ago';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay, shownTime } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { Trail } from '../shell/breadcrumbs.js';
import { LostScreen } from '../shell/lost-screen.js';
import { t } from '../words.js';
import type { Told } from './partner-actions.js';
import { PartnerActions } from './partner-actions.js';
import { PARTNERS_KEY, type Partner, SecretOnce, usePartner } from './partner-secret.js';

/** The address of a partner's front end, which may change, unlike its name. */
function AddressCard({
  partner: { id: partnerId, appUrl },
  onTold,
}: {
  readonly partner: Partner;
  readonly onTold: (told: Told | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('appUrl');
  return (
    <Card title={t('partners.sheet')}>
      <div className="max-w-md p-3">
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            onTold(undefined);
            const change = { partnerId, appUrl: (fields['appUrl'] ?? '').trim() };
            await withReauth(() => gatehouse.api.partner.save.mutate(change, { signal }));
            await queries.invalidateQueries({ queryKey: PARTNERS_KEY });
            onTold({ notice: t('edit.done') });
          }}
        >
          <TextField
            name="appUrl"
            label={t('partners.appUrl')}
            hint={t('partners.appUrlHint')}
            defaultValue={appUrl}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
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

export const PartnerScreen = inLanguage(OnePartner);

function OnePartner(): ReactElement {
  const { partnerId = '' } = useParams({ strict: false });
  return mayAsStaff(useMe(), 'partner.manage') ? (
    <Asking key={partnerId} partnerId={Number(partnerId)} />
  ) : (
    <Denied />
  );
}

function Asking({ partnerId }: { readonly partnerId: number }): ReactElement {
  const answer = usePartner(partnerId);
  return (
    <QueryView
      answer={answer}
      title={t('fact.partner')}
      trail={<Trail to="/partners" all={t('frame.partners')} id={partnerId} name={answer.data?.name} />}
    >
      {(partner) => (partner === null ? <LostScreen /> : <Shown partner={partner} />)}
    </QueryView>
  );
}

function Shown({ partner }: { readonly partner: Partner }): ReactElement {
  const { id, name, active, lastUsedAt, createdAt } = partner;
  const [told, setTold] = useState<Told>();
  return (
    <Screen
      title={t(active ? 'partners.isOn' : 'partners.isOff', { name })}
      tone={active ? 'ok' : 'error'}
      lead={
        lastUsedAt === null ? (
          t('partners.sinceUnused', { day: shownDay(createdAt) })
        ) : (
          <At at={lastUsedAt} say={(time) => t('partners.sinceUsed', { day: shownDay(createdAt), time })} />
        )
      }
      actions={<PartnerActions partner={partner} onTold={setTold} />}
    >
      {told?.secret === undefined ? (
        <Notice text={told?.notice} onClose={setTold} />
      ) : (
        <SecretOnce secret={told.secret} note={told.notice} />
      )}
      <AddressCard key={partner.appUrl} partner={partner} onTold={setTold} />
      <SecretsCard partner={partner} />
      <Card title={t('partnerEndpoints.title')}>
        <p className="p-3">
          <Link to="/partners/$partnerId/endpoints" params={{ partnerId: String(id) }} className={LINK}>
            {t('partnerEndpoints.open')}
          </Link>
        </p>
      </Card>
    </Screen>
  );
}

/** Which secrets work, and which of them is used. */
function SecretsCard({ partner: { secrets } }: { readonly partner: Partner }): ReactElement {
  return (
    <Card title={t('secrets.title')}>
      {secrets.length === 0 ? <p className="p-3 text-quiet">{t('secrets.none')}</p> : null}
      <ul className="divide-y divide-line">
        {secrets.map(({ id, createdAt, retiresAt, lastUsedAt }) => (
          <li key={id} className="p-3">
            <p className="font-semibold">
              <At at={createdAt} say={(time) => t('secrets.made', { time })} />
            </p>
            <p className="text-quiet">
              {retiresAt === null ? t('secrets.newest') : t('secrets.until', { time: shownTime(retiresAt) })},{' '}
              {lastUsedAt === null ? (
                t('partners.unused')
              ) : (
                <At at={lastUsedAt} say={(time) => t('partners.used', { time })} />
              )}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
