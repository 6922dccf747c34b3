import type { SocialProvider } from '@gatehouse/client-sdk';
import type { ReactElement } from 'react';
import { isProvider } from './provider-names.js';

/** Drawn for this product in one color, so that they are readable in both schemes: an outline, or the stroke of a pen. */
const MARKS: Readonly<Record<SocialProvider, { readonly fill: string } | { readonly stroke: string }>> = {
  google: { stroke: 'M12.6 4.3A5.8 5.8 0 1 0 13.8 8.2H8.4' },
  github: {
    fill: 'M2.9 1.9l2.6 1.3a8.6 8.6 0 0 1 5 0l2.6-1.3.5 3.5A5.4 5.4 0 0 1 15 9c0 3.3-2.7 5.2-7 5.2S1 12.3 1 9a5.4 5.4 0 0 1 1.4-3.6zM5.3 7.6a1.1 1.7 0 1 0 0 3.4 1.1 1.7 0 0 0 0-3.4zm5.4 0a1.1 1.7 0 1 0 0 3.4 1.1 1.7 0 0 0 0-3.4z',
  },
  linkedin: {
    fill: 'M2.5 1h11A1.5 1.5 0 0 1 15 2.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 1 13.5v-11A1.5 1.5 0 0 1 2.5 1zM3.4 6.2v6.4h2V6.2zm1-3.1a1.15 1.15 0 1 0 0 2.3 1.15 1.15 0 0 0 0-2.3zM6.8 6.2v6.4h2V9.2c0-1.9 1.9-1.8 1.9-.1v3.5h2V8.7c0-3.2-2.8-3.3-3.9-1.6v-.9z',
  },
  facebook: {
    fill: 'M8 .8a7.2 7.2 0 1 1 0 14.4A7.2 7.2 0 0 1 8 .8zM7 15.1h2.3v-5h1.8l.4-2.2H9.3V6.6c0-.7.3-1.1 1.1-1.1h1.2V3.6c-2.8-.6-4.6.5-4.6 2.8v1.5H5.2v2.2H7z',
  },
  twitter: { stroke: 'M2.4 2.2l11.2 11.6M13.2 2.2L2.8 13.8' },
  tiktok: { stroke: 'M9.2 1.4v9.3a2.9 2.9 0 1 1-2.9-2.9M9.2 1.8c.3 2.2 1.9 3.6 4.2 3.7' },
};

/** The mark of a provider, beside its name; none if it is unknown. */
export function ProviderMark({ provider }: { readonly provider: string }): ReactElement | null {
  if (!isProvider(provider)) return null;
  const mark = MARKS[provider];
  return (
    <svg className="shrink-0" width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
      {'fill' in mark ? (
        <path d={mark.fill} fill="currentColor" fillRule="evenodd" />
      ) : (
        <path d={mark.stroke} fill="none" stroke="currentColor" strokeWidth="2.2" />
      )}
    </svg>
  );
}
