import { Banner } from '@gatehouse/ui/parts/banner';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { Actions } from './actions.js';
import { LoginsCard, MailsCard, SessionsCard } from './evidence.js';
import { AccountsCard, FactsCard } from './facts.js';
import { type MemberPage, useMemberId, useMemberPage } from './member-page.js';
import { statusOf } from './member-status.js';
import { Path } from './path.js';
import { SeldomActions } from './seldom-actions.js';
import { WhyCard } from './why-card.js';

export const MemberScreen = inLanguage(Member);

function Member(): ReactElement {
  const memberId = useMemberId();
  return mayAnywhere(useMe(), 'member.list') ? <Shown key={memberId} memberId={memberId} /> : <Denied />;
}

function Shown({ memberId }: { readonly memberId: number }): ReactElement {
  const page = useMemberPage(memberId);
  return <Asked answer={page}>{(data) => <Page page={data} />}</Asked>;
}

function Page({ page }: { readonly page: MemberPage }): ReactElement {
  const [notice, setNotice] = useState<string>();
  const { title, tone, lead } = statusOf(page);
  return (
    <div className="flex flex-col gap-4">
      <Path member={page.member} />
      <Screen
        title={title}
        tone={tone}
        lead={lead}
        actions={
          <>
            <Actions page={page} onNotice={setNotice} />
            <SeldomActions page={page} onNotice={setNotice} />
          </>
        }
      >
        {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
        <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-6">
            <LoginsCard page={page} />
            {page.actions.includes('seeSessions') ? <SessionsCard page={page} /> : null}
            <MailsCard page={page} />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <FactsCard page={page} />
            <AccountsCard page={page} />
            <WhyCard memberId={page.member.id} />
          </div>
        </div>
      </Screen>
    </div>
  );
}
