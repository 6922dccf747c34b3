import { configShape } from '@gatehouse/features/core/config';
import { createGuardedClient } from '@gatehouse/runtime/network/guarded-client';
import { type Finding, finding } from './finding.js';

const DAY_MS = 86_400_000;

/** Whether the previous system can be asked about members who have no password here yet. Nothing if it is not configured. */
export async function legacyFindings(
  env: Readonly<Record<string, string | undefined>>,
  nowMs: number,
): Promise<Finding[]> {
  const given = (name: 'LEGACY_SIGN_IN_URL' | 'LEGACY_SIGN_IN_UNTIL' | 'EVENTS_PRIVATE_NETWORKS') =>
    env[name] || undefined;
  const url = configShape.LEGACY_SIGN_IN_URL.safeParse(given('LEGACY_SIGN_IN_URL')).data;
  const untilMs = configShape.LEGACY_SIGN_IN_UNTIL.safeParse(given('LEGACY_SIGN_IN_UNTIL')).data;
  if (url === undefined || untilMs === undefined) return [];
  const networks = configShape.EVENTS_PRIVATE_NETWORKS.safeParse(given('EVENTS_PRIVATE_NETWORKS')).data;
  const client = createGuardedClient({
    isProduction: (env['NODE_ENV'] || 'production') === 'production',
    privateNetworks: networks ?? [],
  });
  const daysLeft = Math.ceil((untilMs - nowMs) / DAY_MS);
  if (daysLeft <= 0)
    return [
      {
        isWell: false,
        text: 'passwords: the date of LEGACY_SIGN_IN_UNTIL has passed, so nobody is asked about any more; remove it, LEGACY_SIGN_IN_URL and LEGACY_SIGN_IN_SECRET',
      },
    ];
  return [
    finding(
      await client.accepts(url, 'private'),
      `passwords: the system at LEGACY_SIGN_IN_URL is asked about those without one for ${daysLeft} more day(s), and the refusal of a password waits 3.15 s`,
      'passwords: LEGACY_SIGN_IN_URL names no address that may be called: its name is unknown, or in a private network that EVENTS_PRIVATE_NETWORKS does not list',
    ),
  ];
}
