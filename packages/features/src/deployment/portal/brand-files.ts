import { ownWebFile, type WebFile } from '@gatehouse/http/web/web-files';
import { type Brand, brandCss } from '@gatehouse/runtime/config/brand/brand';

/** Where pages find the logo of a brand. */
export const logoPath = (logo: NonNullable<Brand['logo']>): string => `/portal/${logo.fileName}`;

/** The files that a brand adds to the portal: its colours, and its logo, which also is the icon of tabs. */
export function brandFiles(brand: Brand | undefined): ReadonlyMap<string, WebFile> {
  const css = ['brand.css', ownWebFile('brand.css', Buffer.from(brandCss(brand)))] as const;
  if (brand?.logo === undefined) return new Map([css]);
  const { fileName, bytes } = brand.logo;
  const logo = ownWebFile(fileName, bytes);
  return new Map([css, [fileName, logo], ['mark.svg', logo]]);
}
