import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { usePages } from '@gatehouse/ui/list/paged-list';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { EventsCard } from '@gatehouse/ui/security/event-list';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { TRAILS } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { type MemberPage, MemberView, memberKey, useMemberId } from '../member/member-page.js';
import { mayAnywhere, useMe } from '../session/me.js';
import { ChoiceLink, ChoiceLinks, LINK } from '../shell/action-links.js';
import { t as ofConsole } from '../words.js';
import { actionWords } from './actions/action-words.js';
import { AuditList } from './audit-list.js';
import { t } from './words.js';

type SecurityEvent = AdminOutputs['securityEvent']['listFor']['data'][number];

/** What happened to the security of a member in the last 90 days, newest first. */
function SecurityList({ memberId }: { readonly memberId: number }): ReactElement {
  const list = usePages<SecurityEvent>([...memberKey(memberId), 'trail'], (page, signal) =>
    gatehouse.api.securityEvent.listFor.query({ ...page, memberId }, { signal }),
  );
  return (
    <EventsCard
      title={t('trail.sheet')}
      events={list}
      textOf={({ kind, outcome }) => <bdi className="font-semibold">{eventWords(kind, outcome)}</bdi>}
      actorOf={({ userId, name }) => (
        <Link to="/members/$memberId" params={{ memberId: String(userId) }} className={LINK}>
          <bdi>{name ?? `#${userId}`}</bdi>
        </Link>
      )}
    />
  );
}

const OUTCOMES = { ok: 'login.ok', failed: 'login.failed', locked: 'login.locked' } as const;

function eventWords(kind: string, outcome: SecurityEvent['outcome']): string {
  if (kind === 'verification') return t('trail.verificationFailed');
  if (kind === 'factor.setup') return t('trail.setupFailed');
  return kind === 'login' ? ofConsole(OUTCOMES[outcome]) : (actionWords(kind) ?? kind);
}

export const TrailScreen = inLanguage(Trail);

const route = getRouteApi('/frame/members/$memberId/trail');

const WORDS = { security: 'trail.security', about: 'trail.about', by: 'trail.by' } as const;

function Trail(): ReactElement {
  const memberId = useMemberId();
  return mayAnywhere(useMe(), 'member.list') ? <Shown key={memberId} memberId={memberId} /> : <Denied />;
}

function Shown({ memberId }: { readonly memberId: number }): ReactElement {
  return (
    <MemberView memberId={memberId} here={t('trail.here')}>
      {({ member }) => <Lists member={member} />}
    </MemberView>
  );
}

function Lists({ member }: { readonly member: MemberPage['member'] }): ReactElement {
  const { of = 'security' } = route.useSearch();
  const seesAudit = useMe().staffPermissions.includes('audit.read');
  const shown = seesAudit ? of : 'security';
  return (
    <Screen title={t('trail.title', { name: shownName(member) })} lead={t('trail.lead')}>
      {seesAudit ? (
        <ChoiceLinks label={t('trail.which')}>
          {TRAILS.map((each) => (
            <ChoiceLink
              key={each}
              to="/members/$memberId/trail"
              params={{ memberId: String(member.id) }}
              search={each === 'security' ? {} : { of: each }}
              isChosen={shown === each}
            >
              {t(WORDS[each])}
            </ChoiceLink>
          ))}
        </ChoiceLinks>
      ) : null}
      {shown === 'security' ? <SecurityList memberId={member.id} /> : null}
      {shown === 'about' ? <AuditList filters={{ subject: `member/${member.id}` }} /> : null}
      {shown === 'by' ? <AuditList filters={{ actor: member.id }} /> : null}
    </Screen>
  );
}
