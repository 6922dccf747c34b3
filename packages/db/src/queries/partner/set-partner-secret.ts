import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Says when a secret retires, notes its use, or replaces its ciphertext by one under another key. */
export async function setPartnerSecret(
  tx: Database,
  {
    secretId,
    sealed,
    ...change
  }: {
    secretId: number;
    retiresAtMs?: number;
    lastUsedAtMs?: number;
    sealed?: string;
  },
): Promise<boolean> {
  const { partnerSecrets } = tx.tables;
  const rows = await tx.write(
    tx
      .update(partnerSecrets)
      .set({ ...change, ...(sealed === undefined ? {} : { secret: sealed }) })
      .where(eq(partnerSecrets.id, secretId)),
  );
  return rows === 1;
}
