import { type ReactElement, useEffect } from 'react';
import { Button } from './button.js';

/** A person of the demonstration data, as whom anybody can sign in after a development start. */
interface DemoLogin {
  readonly email: string;
  /** Who it is, in words. */
  readonly who: string;
}

/**
 * Signs in as one of the people of the demonstration with one click. The page of a development start leads here with the address of one
 * of them and the key in the fragment, which is that click.
 */
export function DemoLogins({
  title,
  text,
  logins,
  linkKey,
  isBusy,
  onSignIn,
}: {
  readonly title: string;
  readonly text: string;
  readonly logins: readonly DemoLogin[];
  /** Pages of other sites do not know it. */
  readonly linkKey: string;
  readonly isBusy: boolean;
  readonly onSignIn: (email: string) => void;
}): ReactElement {
  useEffect(() => {
    const fields = new URLSearchParams(location.hash.slice(1));
    const email = fields.get('as');
    if (email === null || fields.get('key') !== linkKey) return;
    history.replaceState(history.state, '', location.pathname + location.search);
    onSignIn(email);
  }, []);
  return (
    <section aria-label={title} className="flex flex-col gap-3 bg-lantern-wash px-3 py-3">
      <p>{text}</p>
      {logins.map(({ email, who }) => (
        <Button key={email} isBusy={isBusy} onClick={() => onSignIn(email)}>
          <span className="flex w-full flex-wrap items-baseline justify-between gap-x-3">
            <span>{who}</span>
            <span className="font-normal text-quiet">{email}</span>
          </span>
        </Button>
      ))}
    </section>
  );
}
