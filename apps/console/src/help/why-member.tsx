import { Banner } from '@gatehouse/ui/parts/banner';
import { StatusIcon } from '@gatehouse/ui/parts/status-icon';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Actions } from '../member/actions.js';
import { type MemberPage, useMemberPage } from '../member/member-page.js';
import { statusOf } from '../member/member-status.js';
import { WhyCard } from '../member/why-card.js';
import { t } from '../words.js';

/** Whether one member can get in, why not, and what mends it. */
export function WhyMember({ memberId }: { readonly memberId: number }): ReactElement {
  const page = useMemberPage(memberId);
  return (
    <Asked answer={page} isPart>
      {(data) => <Why page={data} />}
    </Asked>
  );
}

function Why({ page }: { readonly page: MemberPage }): ReactElement {
  const [notice, setNotice] = useState<string>();
  const { title, tone, lead } = statusOf(page);
  return (
    <div className="flex flex-col gap-6">
      <section aria-live="polite" className="flex flex-col gap-1">
        <h2 className="flex items-start gap-3 text-title font-bold wrap-anywhere">
          <span className="pt-1.25">
            <StatusIcon tone={tone} />
          </span>
          {title}
        </h2>
        <p className="text-lead text-quiet wrap-anywhere">{lead}</p>
      </section>
      <div className="flex flex-wrap gap-3">
        <Actions page={page} onNotice={setNotice} />
      </div>
      {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
      <WhyCard memberId={page.member.id} />
      <p>
        <Link
          to="/members/$memberId"
          params={{ memberId: String(page.member.id) }}
          className="inline-flex min-h-6 items-center text-harbour underline underline-offset-3"
        >
          {t('help.all')}
        </Link>
      </p>
    </div>
  );
}
