import { isGatehouseError } from '@gatehouse/client-sdk';
import { type ReactElement, useState } from 'react';
import type { MutationState } from '../call/mutation-state.js';
import { explainError, isUnsure } from '../failure/use-mutation-state.js';
import { Form } from '../form/form.js';
import { type Choice, SelectField } from '../form/select-field.js';
import { TextArea } from '../form/text-area.js';
import { Button } from '../parts/button.js';
import { RowMark, type StatusTone } from '../parts/icons.js';
import { addressesIn } from './addresses-in.js';
import { t } from './words.js';

/** So many that a person reads all results, and fewer than an account may mail in a day. */
const MOST = 50;

/** Invites one address to a role. */
export type OnInvite = (
  email: string,
  role: string,
  signal: AbortSignal,
) => Promise<{ readonly email: string; readonly delivery: string }>;

/** What was typed before the page was left to prove one's address. */
export interface Draft {
  /** The addresses, one a line. */
  readonly emails: string;
  readonly role: string;
}

/** Stores what is being sent, because sending may leave the page; undefined once it is sent or refused. */
export type KeepDraft = (draft: Draft | undefined) => void;

/** The result of inviting an address. */
interface Result {
  readonly email: string;
  readonly tone: StatusTone;
  readonly words: string;
}

const isInvited = ({ tone }: Result): boolean => tone === 'ok';

/** Why one address was refused; undefined for what would refuse the others too. */
function refusalOfOne(error: unknown): string | undefined {
  if (!isGatehouseError(error, 'already_member', 'invalid_input')) return undefined;
  const { message = '', issues = [] } = explainError(error, ['email']) ?? {};
  return issues[0]?.message ?? message;
}

/** Invites many addresses to one role, one after the other. Those that were not invited stay in the field. */
export function InviteMany({
  mutation,
  choices,
  defaultRole,
  onInvite,
  draft,
  onKeep,
  onClose,
}: {
  readonly mutation: MutationState;
  readonly choices: readonly Choice[];
  readonly defaultRole: string;
  readonly onInvite: OnInvite;
  readonly draft: Draft | undefined;
  readonly onKeep?: KeepDraft | undefined;
  readonly onClose: () => void;
}): ReactElement {
  const [results, setResults] = useState<readonly Result[]>([]);
  const [kept, setKept] = useState({ text: draft?.emails ?? '', run: 0 });
  const [progress, setProgress] = useState<{ readonly done: number; readonly total: number }>();

  async function inviteAll(emails: readonly string[], role: string, signal: AbortSignal): Promise<void> {
    const ended: Result[] = [];
    const show = (rest: readonly Result[]): void => {
      const all = [...ended, ...rest];
      const text = all.flatMap((result) => (isInvited(result) ? [] : [result.email])).join('\n');
      setProgress(undefined);
      onKeep?.(undefined);
      setResults(all);
      setKept({ text, run: kept.run + 1 });
    };
    try {
      for (const email of emails) {
        setProgress({ done: ended.length, total: emails.length });
        onKeep?.({ emails: emails.slice(ended.length).join('\n'), role });
        ended.push(await inviteOne(email, role, signal));
      }
      show([]);
    } catch (error) {
      const [first, ...others] = emails
        .slice(ended.length)
        .map((email): Result => ({ email, tone: 'pending', words: t('inviteMany.notInvited') }));
      const words = t(isUnsure(error) ? 'inviteMany.unsure' : 'inviteMany.notInvited');
      show([...(first === undefined ? [] : [{ ...first, words }]), ...others]);
      throw error;
    }
  }

  async function inviteOne(email: string, role: string, signal: AbortSignal): Promise<Result> {
    try {
      const { delivery } = await onInvite(email, role, signal);
      return { email, tone: 'ok', words: t(delivery === 'held' ? 'inviteMany.held' : 'inviteMany.sent') };
    } catch (error) {
      const words = refusalOfOne(error);
      if (words === undefined) throw error;
      return { email, tone: 'error', words };
    }
  }

  const invited = results.filter(isInvited).length;
  return (
    <div className="flex flex-col gap-5">
      <Form
        mutation={mutation}
        onSend={async ({ emails: text = '', role = '' }, signal) => {
          const emails = addressesIn(text);
          const message =
            emails.length === 0 ? t('inviteMany.missing') : t('inviteMany.tooMany', { count: emails.length });
          if (emails.length === 0 || emails.length > MOST) {
            mutation.fail({ message: '', issues: [{ path: 'emails', message }], mayRetry: false });
            return;
          }
          setResults([]);
          await inviteAll(emails, role, signal);
        }}
      >
        <TextArea
          key={kept.run}
          name="emails"
          label={t('inviteMany.emails')}
          hint={t('inviteMany.hint')}
          rows={6}
          defaultValue={kept.text}
        />
        <SelectField name="role" label={t('role.field')} choices={choices} defaultValue={defaultRole} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('inviteMany.submit')}
          </Button>
          <Button isBusy={mutation.isBusy} onClick={onClose}>
            {t('invite.close')}
          </Button>
        </div>
      </Form>
      <p role="status" className="empty:hidden">
        {progress === undefined
          ? results.length === 0
            ? null
            : t('inviteMany.done', { invited, count: results.length - invited })
          : t('inviteMany.progress', progress)}
      </p>
      {results.length === 0 ? null : (
        <ul aria-label={t('inviteMany.results')} className="divide-y divide-line border-t border-line">
          {results.map(({ email, tone, words }) => (
            <li key={email} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3 py-2 wrap-anywhere">
              <span className="pt-0.5">
                <RowMark tone={tone} />
              </span>
              <span>
                <bdi className="font-semibold">{email}</bdi> <span className="text-quiet">{words}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
