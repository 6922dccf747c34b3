import { Banner } from '@gatehouse/ui/parts/banner';
import { Card } from '@gatehouse/ui/parts/card';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { shownDay, shownTime } from '@gatehouse/ui/screen/shown-time';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayAsStaff, useMe } from '../session/me.js';
import { LostScreen } from '../shell/lost-screen.js';
import { Trail } from '../shell/trail.js';
import { t } from '../words.js';
import { AddressCard } from './address-card.js';
import { PartnerActions } from './partner-actions.js';
import { type Partner, usePartner } from './partner-query.js';
import { SecretOnce } from './secret-once.js';
import type { Told } from './told.js';

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
    <Asked answer={answer}>
      {(partner) => (partner === null ? <LostScreen /> : <Shown partner={partner} />)}
    </Asked>
  );
}

function Shown({ partner }: { readonly partner: Partner }): ReactElement {
  const { id, name, active, lastUsedAt, createdAt } = partner;
  const [told, setTold] = useState<Told>();
  return (
    <div className="flex flex-col gap-4">
      <Trail to="/partners" all={t('partners.title')} id={id} name={name} />
      <Screen
        title={t(active ? 'partners.isOn' : 'partners.isOff', { name })}
        tone={active ? 'ok' : 'error'}
        lead={
          lastUsedAt === null
            ? t('partners.sinceUnused', { day: shownDay(createdAt) })
            : t('partners.sinceUsed', { day: shownDay(createdAt), time: shownTime(lastUsedAt) })
        }
        actions={<PartnerActions partner={partner} onTold={setTold} />}
      >
        {told === undefined ? null : told.secret === undefined ? (
          <Banner tone="ok">{told.notice}</Banner>
        ) : (
          <SecretOnce secret={told.secret} note={told.notice} />
        )}
        <AddressCard key={partner.appUrl} partner={partner} onTold={setTold} />
        <SecretsCard partner={partner} />
      </Screen>
    </div>
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
            <p className="font-semibold">{t('secrets.made', { time: shownTime(createdAt) })}</p>
            <p className="text-quiet">
              {retiresAt === null ? t('secrets.newest') : t('secrets.until', { time: shownTime(retiresAt) })},{' '}
              {lastUsedAt === null
                ? t('partners.unused')
                : t('partners.used', { time: shownTime(lastUsedAt) })}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
