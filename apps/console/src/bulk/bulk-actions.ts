import { gatehouse } from '../client.js';
import type { MemberPage } from '../member/member-page.js';
import type { BulkAction, BulkRun } from './bulk-run.js';

interface ActionSteps {
  send(memberId: number, run: BulkRun): Promise<unknown>;
  /** Whether the service has done it, by what it tells about the member. Where that cannot be told, it is not. */
  isDone(page: MemberPage, run: BulkRun): boolean;
}

const { member, session } = gatehouse.api;

const STEPS: Readonly<Record<BulkAction, ActionSteps>> = {
  confirm: {
    send: (memberId) => member.sendConfirmation.mutate({ memberId }),
    isDone: ({ member: { emailVerified }, mails }, { lastMailId }) =>
      emailVerified || mails.some(({ id, kind }) => id > lastMailId && kind === 'activation'),
  },
  end: {
    send: (memberId) => session.endFor.mutate({ memberId }),
    isDone: ({ counts }) => counts.sessions === 0,
  },
  ban: {
    send: (memberId, { reason }) => member.ban.mutate({ memberId, reason }),
    isDone: ({ status, ban }, { reason }) => status === 'banned' && ban?.reason === reason,
  },
  unban: {
    send: (memberId) => member.unban.mutate({ memberId }),
    isDone: ({ status }) => status !== 'banned',
  },
};

export const stepsOf = (action: BulkAction): ActionSteps => STEPS[action];
