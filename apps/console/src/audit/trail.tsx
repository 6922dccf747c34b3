import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type MemberPage, useMemberId, useMemberPage } from '../member/member-page.js';
import { Path } from '../member/path.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { AuditList } from './audit-list.js';
import { SecurityList } from './security-list.js';
import { TRAILS } from './trail-filter.js';
import { t } from './words.js';

export const TrailScreen = inLanguage(Trail);

const route = getRouteApi('/frame/members/$memberId/trail');

const WORDS = { security: 'trail.security', about: 'trail.about', by: 'trail.by' } as const;

const CHOICE = 'inline-flex min-h-10 items-center border-b-3 px-3 wide:min-h-8';
const CHOSEN = { className: 'border-harbour font-semibold', 'aria-current': 'page' as const };
const OTHER = { className: 'border-transparent hover:bg-well' };

function Trail(): ReactElement {
  const memberId = useMemberId();
  return mayAnywhere(useMe(), 'member.list') ? <Shown key={memberId} memberId={memberId} /> : <Denied />;
}

function Shown({ memberId }: { readonly memberId: number }): ReactElement {
  const page = useMemberPage(memberId);
  return <Asked answer={page}>{({ member }) => <Lists member={member} />}</Asked>;
}

function Lists({ member }: { readonly member: MemberPage['member'] }): ReactElement {
  const { of = 'security' } = route.useSearch();
  const seesAudit = useMe().staffPermissions.includes('audit.read');
  const shown = seesAudit ? of : 'security';
  return (
    <div className="flex flex-col gap-4">
      <Path member={member} here={t('trail.here')} />
      <Screen title={t('trail.title', { name: shownName(member) })} lead={t('trail.lead')}>
        {seesAudit ? (
          <nav aria-label={t('trail.which')} className="flex flex-wrap">
            {TRAILS.map((each) => (
              <Link
                key={each}
                to="/members/$memberId/trail"
                params={{ memberId: String(member.id) }}
                search={each === 'security' ? {} : { of: each }}
                activeOptions={{ exact: true, includeSearch: true }}
                className={CHOICE}
                activeProps={CHOSEN}
                inactiveProps={OTHER}
              >
                {t(WORDS[each])}
              </Link>
            ))}
          </nav>
        ) : null}
        {shown === 'security' ? <SecurityList memberId={member.id} /> : null}
        {shown === 'about' ? (
          <AuditList asked={{ subjectKind: 'member', subjectId: String(member.id) }} />
        ) : null}
        {shown === 'by' ? <AuditList asked={{ actorId: member.id }} /> : null}
      </Screen>
    </div>
  );
}
