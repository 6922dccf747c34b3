import type { ReactElement } from 'react';
import { CopyButton } from '../parts/copy-button.js';
import { Link } from '../parts/link.js';
import { t } from './words.js';

/** The key of an authenticator app: as a link for an app on this device, as a picture to scan, and as text. */
export function AuthenticatorKey({
  started: { secret, uri, qr },
}: {
  readonly started: { readonly secret: string; readonly uri: string; readonly qr: string };
}): ReactElement {
  return (
    <>
      <p>
        <Link href={uri}>{t('app.open')}</Link>
      </p>
      {/* Shown as a picture in its own document: its content is never markup of this page. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt={t('app.qr')}
        width={208}
        height={208}
        className="self-center bg-[white]"
      />
      <div className="flex flex-col gap-2">
        <p>{t('app.key')}</p>
        <p className="font-mono tracking-wide wrap-anywhere select-all" translate="no">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </p>
        <div className="flex flex-wrap items-center gap-3">
          <CopyButton text={secret} />
        </div>
      </div>
    </>
  );
}
