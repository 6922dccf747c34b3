import { isGatehouseError } from '@gatehouse/client-sdk/admin';
import { explainError, isUnsure } from '@gatehouse/ui/failure/use-mutation-state';
import { gatehouse } from '../client.js';
import type { MemberPage } from '../member/member-page.js';
import type { BulkAction, BulkRun, RunItem } from './bulk-run.js';

interface ActionSteps {
  send(memberId: number, run: BulkRun): Promise<unknown>;
  /** Whether the service has done it, according to the member's page; false if the page cannot show it. */
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

const stepsOf = (action: BulkAction): ActionSteps => STEPS[action];

/** The results of some members, and what blocks the others. */
export interface BatchResult {
  readonly items: readonly RunItem[];
  /** The error for which the run has to wait; undefined where it can go on. */
  readonly trouble: Error | undefined;
}

/** Sends the action for each member, in one request. Each is authorized separately. */
export async function sendBatch(run: BulkRun, batch: readonly RunItem[]): Promise<BatchResult> {
  const { send } = stepsOf(run.action);
  return judge(
    batch,
    (memberId) => send(memberId, run),
    () => 'done',
  );
}

/** Asks the service what happened to those whose answer was lost, or which are to be retried. */
export async function askBatch(run: BulkRun, batch: readonly RunItem[]): Promise<BatchResult> {
  const { isDone } = stepsOf(run.action);
  return judge(
    batch,
    async (memberId) => isDone((await gatehouse.api.member.page.query({ memberId })).data, run),
    (isSo, { state }) => (isSo ? 'done' : state === 'again' ? 'waiting' : 'lost'),
  );
}

async function judge<Answer>(
  batch: readonly RunItem[],
  call: (memberId: number) => Promise<Answer>,
  stateOf: (answer: Answer, item: RunItem) => RunItem['state'],
): Promise<BatchResult> {
  let trouble: Error | undefined;
  const items = await Promise.all(
    batch.map(async (item): Promise<RunItem> => {
      const { memberId } = item;
      try {
        return { memberId, state: stateOf(await call(memberId), item) };
      } catch (error) {
        if (isOfCaller(error) || isUnsure(error))
          trouble = error instanceof Error ? error : new Error('No answer', { cause: error });
        // Refused before anything was done.
        if (isOfCaller(error)) return item;
        if (isUnsure(error)) return item.state === 'waiting' ? { memberId, state: 'sent' } : item;
        return { memberId, state: 'refused', why: explainError(error)?.message ?? String(error) };
      }
    }),
  );
  return { items, trouble };
}

/** Whether a refusal concerns the caller, and would be the same for every member. */
function isOfCaller(error: unknown): boolean {
  return isGatehouseError(
    error,
    'unauthorized',
    'verification_required',
    'second_factor_required',
    'enrolment_required',
    'origin_refused',
  );
}
