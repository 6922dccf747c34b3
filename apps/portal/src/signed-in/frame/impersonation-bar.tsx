import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Button } from '@gatehouse/ui/parts/button';
import { rich } from '@gatehouse/ui/parts/rich';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { leaveTo } from '@gatehouse/ui/session/leave-to';
import { isSessionOver, watchSessionOver } from '@gatehouse/ui/session/page-session';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { type ReactElement, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { gatehouse } from '../../client.js';
import { SCREENS } from '../../links.js';
import { takeWayBack } from '../../tab-storage.js';
import { useMe } from '../session/me.js';
import { t } from '../words.js';

const MINUTE_MS = 60_000;
const STRIPES =
  'repeating-linear-gradient(135deg, var(--color-lantern) 0 10px, var(--color-lantern-wash) 10px 20px)';

const strong = (text: string) => (): ReactNode => <bdi className="font-semibold">{text}</bdi>;

/** Says on every screen that staff act for a member, and ends it. */
export function ImpersonationBar(): ReactElement | null {
  const { actor, member } = useMe();
  const mutation = useMutationState();
  const left = useMinutesLeft(actor?.expiresAt);
  const isOver = useSyncExternalStore(watchSessionOver, isSessionOver);
  const hasEnded = actor !== null && isOver && !mutation.isBusy;
  useEffect(() => {
    if (hasEnded) void leaveTo(SCREENS.impersonate, { forGood: true });
  }, [hasEnded]);
  if (actor === null) return null;
  const names = {
    actor: strong(actor.name),
    member: strong(shownName(member)),
    reason: strong(actor.reason),
  };
  return (
    <aside
      aria-label={t('actor.label')}
      className="sticky top-0 z-10 border-b border-lantern bg-lantern-wash text-ink"
    >
      <div className="h-2" style={{ background: STRIPES }} />
      <div className="flex flex-wrap items-center justify-between gap-3 px-4 py-2">
        <div className="min-w-0 flex-1">
          <p className="wrap-anywhere">{rich(t('actor.who'), names)}</p>
          <p className="text-note">
            {t(actor.readOnly ? 'actor.reads' : 'actor.writes')}{' '}
            {t('actor.left', { count: left, time: shownTime(actor.expiresAt) })}
          </p>
        </div>
        <Button
          isBusy={mutation.isBusy}
          onClick={() =>
            mutation.send(async () => {
              await gatehouse.signOut();
              await leaveTo(takeWayBack() ?? SCREENS.home, { forGood: true });
            })
          }
        >
          {t('actor.end')}
        </Button>
      </div>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </aside>
  );
}

function useMinutesLeft(expiresAt: string | undefined): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    if (expiresAt === undefined) return undefined;
    const timer = setInterval(() => setNowMs(Date.now()), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, [expiresAt]);
  return expiresAt === undefined ? 0 : Math.max(0, Math.ceil((Date.parse(expiresAt) - nowMs) / MINUTE_MS));
}
