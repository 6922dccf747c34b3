import { Banner } from '@gatehouse/ui/parts/banner';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { type ReactElement, useState } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { Actions } from './actions.js';
import { LoginsSheet, MailsSheet, SessionsSheet } from './evidence.js';
import { AccountsSheet, FactsSheet } from './facts.js';
import { type MemberPage, useMemberId, useMemberPage } from './member-page.js';
import { Path } from './path.js';
import { SeldomActions } from './seldom-actions.js';
import { verdictOn } from './verdict.js';
import { WhySheet } from './why-sheet.js';

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
  const { title, state, lead } = verdictOn(page);
  return (
    <div className="flex flex-col gap-4">
      <Path member={page.member} />
      <Screen
        title={title}
        state={state}
        lead={lead}
        actions={
          <>
            <Actions page={page} onNotice={setNotice} />
            <SeldomActions page={page} onNotice={setNotice} />
          </>
        }
      >
        {notice === undefined ? null : <Banner state="open">{notice}</Banner>}
        <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
          <div className="flex min-w-0 flex-col gap-6">
            <LoginsSheet page={page} />
            {page.actions.includes('seeSessions') ? <SessionsSheet page={page} /> : null}
            <MailsSheet page={page} />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <FactsSheet page={page} />
            <AccountsSheet page={page} />
            <WhySheet memberId={page.member.id} />
          </div>
        </div>
      </Screen>
    </div>
  );
}
