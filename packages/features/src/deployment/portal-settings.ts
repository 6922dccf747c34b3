import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Database } from '@gatehouse/db/database';
import { findMember } from '@gatehouse/db/queries/read-members';
import { ownWebFile, type WebFile } from '@gatehouse/http/web/web-files';
import { type Brand, brandCss } from '@gatehouse/runtime/config/brand/brand';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';
import { ConfigError, productName } from '../core/config.js';
import type { Services } from '../core/context.js';
import { publicProcedure } from '../core/guard/procedure.js';
import { LOCALES } from '../core/member-view.js';
import { findSocialProvider, SOCIAL_PROVIDER_KEYS } from '../core/social-providers/social-providers.js';
import { wayBack } from '../pages/way-back.js';
import { findConfiguredProvider } from '../social/configured-provider.js';
import { demonstrationKey } from './demonstration-key.js';
import { showsOutbox } from './outbox.js';

/** Where pages find the logo of a brand. */
const logoPath = (logo: NonNullable<Brand['logo']>): string => `/portal/${logo.fileName}`;

/** The files that a brand adds to the portal: its colors, and its logo, which is also the icon of tabs and home screens. */
export function brandFiles(brand: Brand | undefined): ReadonlyMap<string, WebFile> {
  const css = ['brand.css', ownWebFile('brand.css', Buffer.from(brandCss(brand)))] as const;
  if (brand?.logo === undefined) return new Map([css]);
  const { fileName, bytes } = brand.logo;
  const logo = ownWebFile(fileName, bytes);
  return new Map([css, [fileName, logo], ['mark.svg', logo], ['apple-touch-icon.png', logo]]);
}

/** The names of the values in a message, by id; null if the message has plurals or choices. */
const list = z.record(z.string(), z.array(z.string()).nullable());

type MessageList = z.output<typeof list>;

/**
 * Requires that the portal has the messages that a brand replaces, and the values that they name. Without a build of the
 * portal nobody would see them, and nothing is required.
 * @param folder the build; its URL ends in a slash
 * @throws {ConfigError} naming each wrong message
 */
export function requireKnownMessages(brand: Brand, folder: URL): void {
  const known = readLists(folder);
  if (known === undefined) return;
  const problems = Object.entries(brand.messages).flatMap(([language, messages]) =>
    Object.entries(messages).flatMap(([id, text]) =>
      problemsOf(id, text, known).map((problem) => `PORTAL_BRAND: messages.${language}.${id} ${problem}`),
    ),
  );
  if (problems.length > 0) throw new ConfigError(problems);
}

function problemsOf(id: string, text: string, known: MessageList): string[] {
  const names = Object.hasOwn(known, id) ? known[id] : undefined;
  if (names === undefined) return ['is no message of the portal'];
  if (names === null) return ['counts or chooses, and cannot be replaced'];
  const used = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return used.filter((name) => !names.includes(name)).map((name) => `has no value {${name}}`);
}

/** The messages that a build lists; undefined if it has no list. */
function readLists(folder: URL): MessageList | undefined {
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith('.list'));
  if (names.length === 0) return undefined;
  const lists = names.map((name) => list.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
  return Object.fromEntries(lists.flatMap((each) => Object.entries(each)));
}

const words = z.object({ en: z.string(), de: z.string() });

const messages = z.record(z.string(), z.string());

/** The people whom a development start lets anybody sign in as; production has neither the members nor the password. */
const DEMONSTRATION = [
  { id: 3, username: 'owner.acme', kind: 'owner' },
  { id: 7, username: 'member.acme', kind: 'member' },
] as const;

/** The people of the demonstration, with the address that each has by now. */
async function demonstrationLogins(db: Database) {
  const found = await Promise.all(
    DEMONSTRATION.map(async ({ id, username, kind }) => {
      const member = await findMember(db, id);
      const isThere = member?.username === username && !member.isDeleted && member.email !== null;
      return isThere ? [{ email: member.email ?? '', kind }] : [];
    }),
  );
  return found.flat();
}

const settingsView = z.object({
  brand: z.object({
    name: z.string(),
    /** The path of an image. */
    logo: z.string().optional(),
    /** The address of the product, to which the pages lead back. */
    home: z.string().optional(),
    /** Where people reach support: the address of a page, or one that begins with mailto:. */
    support: z.string().optional(),
    links: z.array(z.object({ href: z.string(), text: words })).optional(),
    /** Messages of the portal that the brand replaces, by language and id. */
    messages: z.object({ en: messages, de: messages }).optional(),
  }),
  /** The keys of the configured providers. */
  providers: z.array(z.enum(SOCIAL_PROVIDER_KEYS)),
  /** Whether sign-in by mail is possible. */
  emailSignIn: z.boolean(),
  passkeys: z.boolean(),
  languages: z.array(z.enum(LOCALES)),
  /** The origins that pages may lead back to. */
  returnOrigins: z.array(z.string()),
  /** For how many days closed accounts and deleted members can be restored. */
  restorableDays: z.object({ account: z.int(), member: z.int() }),
  /** The path of the page that shows all mails, for callers who may see it: see `showsOutbox`. */
  outbox: z.string().optional(),
  /** The sign-in of the console, for callers who say that they came from there: see `wayBack`. */
  back: z.string().optional(),
  /** The logins of the demonstration data, only in development. */
  demonstration: z
    .object({
      password: z.string(),
      logins: z.array(z.object({ email: z.string(), kind: z.enum(['owner', 'member']) })),
      /** What a link has to hold that signs in as one of them. */
      key: z.string(),
    })
    .optional(),
});

/** What pages know of a deployment without a query of its database. */
type DeploymentSettings = Omit<z.output<typeof settingsView>, 'demonstration' | 'outbox' | 'back'>;

/** The settings that a sign-in page needs before anybody has signed in. */
export const portalSettings = publicProcedure
  .meta({ about: { summary: 'Tell what a page for signing in offers' } })
  .input(
    z
      .object({
        back: z.string().max(2_000).optional().describe('The address of the page that led to this one'),
      })
      .optional(),
  )
  .output(z.object({ data: settingsView }))
  .query(async ({ ctx, input }) => {
    const { services } = ctx;
    const isDevelopment = services.config.NODE_ENV === 'development';
    const back = wayBack(services.config, input?.back);
    const logins = isDevelopment ? await demonstrationLogins(services.db) : [];
    return {
      data: {
        ...deploymentSettings(services),
        ...(showsOutbox(ctx) ? { outbox: '/dev/outbox' } : {}),
        ...(back === undefined ? {} : { back }),
        ...(logins.length > 0
          ? {
              demonstration: {
                password: DEMONSTRATION_PASSWORD,
                logins,
                key: demonstrationKey(services.config),
              },
            }
          : {}),
      },
    };
  });

function deploymentSettings({
  config,
  relyingParty,
}: Pick<Services, 'config' | 'relyingParty'>): DeploymentSettings {
  const providers = SOCIAL_PROVIDER_KEYS.filter((key) => {
    const provider = findSocialProvider(key);
    return provider !== undefined && findConfiguredProvider(config, provider) !== undefined;
  });
  return {
    brand:
      config.PORTAL_BRAND === undefined ? { name: productName(config) } : toBrandView(config.PORTAL_BRAND),
    providers,
    emailSignIn: config.EMAIL_SIGN_IN,
    passkeys: relyingParty !== undefined,
    languages: [...LOCALES],
    returnOrigins: [...config.PORTAL_RETURN_ORIGINS],
    restorableDays: { account: config.ACCOUNT_GRACE_DAYS, member: config.MEMBER_GRACE_DAYS },
  };
}

/**
 * The settings as documents contain them, so that they are painted without a request. In development documents contain none:
 * there the demonstration data may come and go.
 */
export function documentSettings(services: Pick<Services, 'config' | 'relyingParty'>): {
  readonly settings?: DeploymentSettings;
} {
  return services.config.NODE_ENV === 'development' ? {} : { settings: deploymentSettings(services) };
}

function toBrandView({ name, home, support, logo, links, messages: said }: Brand) {
  return {
    name,
    links,
    messages: said,
    ...(home === undefined ? {} : { home }),
    ...(support === undefined ? {} : { support }),
    ...(logo === undefined ? {} : { logo: logoPath(logo) }),
  };
}
