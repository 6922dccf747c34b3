import { Chevron } from '@gatehouse/ui/parts/chevron';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactElement, useId, useRef, useState } from 'react';
import type { OwnPlace } from '../session/me.js';
import { t } from '../words.js';

/** The account one acts in, and the others. To choose is to go to another address, so each tab has an account of its own. */
export function AccountSwitcher({
  places,
  current,
}: {
  readonly places: readonly OwnPlace[];
  readonly current: OwnPlace;
}): ReactElement {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const others = places.filter(({ accountId }) => accountId !== current.accountId);
  if (others.length === 0) {
    return (
      <p className="px-2 font-semibold">
        <bdi>{current.accountName}</bdi>
      </p>
    );
  }
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    if (key !== 'Escape') return;
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div>
      <button
        ref={button}
        onKeyDown={onKeyDown}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={t('frame.switch', { account: current.accountName })}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-10 w-full cursor-pointer items-center justify-between gap-2 rounded-small border border-edge bg-card px-2 py-1 text-start font-semibold hover:bg-paper"
      >
        <bdi className="line-clamp-2">{current.accountName}</bdi>
        <Chevron isOpen={isOpen} />
      </button>
      <ul id={id} hidden={!isOpen} className="max-h-72 overflow-y-auto border-x border-b border-line bg-card">
        {others.map(({ accountId, accountName, roleLabel }) => (
          <li key={accountId} className="border-t border-line first:border-0">
            <Link
              to="/a/$account"
              params={{ account: String(accountId) }}
              onKeyDown={onKeyDown}
              onClick={() => setOpen(false)}
              className="flex min-h-10 flex-col justify-center px-2 py-1 hover:bg-well"
            >
              <bdi>{accountName}</bdi>
              <bdi className="text-note text-quiet">{roleLabel}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
