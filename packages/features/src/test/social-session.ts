import type { Person } from '@gatehouse/simulator';
import type { RunningService } from '@gatehouse/testkit';
import { z } from 'zod';
import { createSocialBrowser } from './social-browser.js';

const session = z.object({ token: z.string(), userId: z.number() });

/** Signs in at a simulated provider, up to the session. */
export async function socialSession(
  service: Pick<RunningService, 'send'>,
  key: string,
  person: Partial<Person> = {},
): Promise<z.output<typeof session>> {
  const end = await createSocialBrowser(service).visit(`/social/${key}`, { person });
  const token = end.searchParams.get('user');
  if (token === null) throw new Error(`The sign-in ended at ${end.search}`);
  const response = await service.send('/webauthenticate', { body: { social: true, token } });
  return session.parse(await response.json());
}
