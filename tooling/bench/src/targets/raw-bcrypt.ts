import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from '@gatehouse/auth-core';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { z } from 'zod';

const order = z.object({ seconds: z.number() });
const stored = await hashPassword(DEMONSTRATION_PASSWORD);

/** Compares one password continuously, one at a time per core. This is the upper limit for logins. */
async function comparisonsPerSecond(seconds: number): Promise<number> {
  const startMs = performance.now();
  let compared = 0;
  const compare = async () => {
    while (performance.now() - startMs < seconds * 1000) {
      if (!(await verifyPassword(DEMONSTRATION_PASSWORD, stored))) throw new Error('the password is wrong');
      compared += 1;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, compare));
  return compared / ((performance.now() - startMs) / 1000);
}

process.on('message', (message) => {
  void comparisonsPerSecond(order.parse(message).seconds).then((rate) => process.send?.({ rate }));
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: 0 });
