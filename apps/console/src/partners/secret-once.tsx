import { Banner } from '@gatehouse/ui/parts/banner';
import type { ReactElement } from 'react';
import { t } from '../words.js';

/** A secret, which nobody can see again. */
export function SecretOnce({
  secret,
  note,
}: {
  readonly secret: string;
  readonly note: string;
}): ReactElement {
  return (
    <Banner tone="pending">
      <p className="font-semibold">{t('secret.once')}</p>
      <p>
        <code className="font-mono text-lead select-all">{secret}</code>
      </p>
      <p className="text-quiet">{note}</p>
    </Banner>
  );
}
