import { eq } from 'drizzle-orm';
import type { Database } from '../../database.js';

/** Sets when a secret retires, records its use, or replaces its ciphertext after a key rotation. */
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
