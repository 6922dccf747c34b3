import { Card } from '@gatehouse/ui/parts/card';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shownName } from '../session/shown-name.js';
import { LINK } from '../shell/link-look.js';
import type { AccountPage } from './account-page.js';
import { t } from './words.js';

/** So many stand on the page of an account; the rest on a screen of their own. */
const FEW = 5;

/** Who belongs to an account. */
export function MembersCard({
  page: { account, members, counts, state },
}: {
  readonly page: AccountPage;
}): ReactElement {
  return (
    <Card
      title={t('account.members', { count: counts.members })}
      aside={
        state === 'live' ? (
          <Link to="/accounts/$accountId/members" params={{ accountId: String(account.id) }} className={LINK}>
            {t('people.all')}
          </Link>
        ) : null
      }
    >
      {members.length === 0 ? <p className="p-3 text-quiet">{t('account.noMembers')}</p> : null}
      <ul className="divide-y divide-line">
        {members.slice(0, FEW).map((member) => (
          <li
            key={member.id}
            className="flex flex-wrap items-baseline justify-between gap-x-3 p-3 wrap-anywhere"
          >
            <span>
              <Link to="/members/$memberId" params={{ memberId: String(member.id) }} className={LINK}>
                <bdi>{shownName(member)}</bdi>
              </Link>{' '}
              {member.isPrimaryOwner === true ? (
                <span className="text-quiet">{t('account.primaryOwner')}</span>
              ) : null}
            </span>
            <bdi className="text-quiet">{member.accountRoleLabel}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}
